"""XXH64, the checksum of table files, slowly: for tests that make a spoilt file look sound."""

from typing import Final

_MASK: Final = 2**64 - 1
_P1: Final = 0x9E3779B185EBCA87
_P2: Final = 0xC2B2AE3D27D4EB4F
_P3: Final = 0x165667B19E3779F9
_P4: Final = 0x85EBCA77C2B2AE63
_P5: Final = 0x27D4EB2F165667C5


def xxh64(data: bytes | bytearray) -> int:
    """XXH64 with seed 0 (doc/xxhash_spec.md of the xxHash project).

    >>> hex(xxh64(b"")), hex(xxh64(b"abc")), hex(xxh64(bytes(100)))
    ('0xef46db3751d8e999', '0x44bc2cf5ad770999', '0x17bb1103c92c502f')
    """
    in_lanes = len(data) // 32 * 32
    found = _P5
    if in_lanes:
        lanes = [(_P1 + _P2) & _MASK, _P2, 0, -_P1 & _MASK]
        for at in range(0, in_lanes, 32):
            lanes = [_step(lane, _word(data, at + 8 * i)) for i, lane in enumerate(lanes)]
        found = sum(_turn(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18), strict=True)) & _MASK
        for lane in lanes:
            found = ((found ^ _step(0, lane)) * _P1 + _P4) & _MASK
    found = (found + len(data)) & _MASK
    for at in range(in_lanes, len(data) - 7, 8):
        found = (_turn(found ^ _step(0, _word(data, at)), 27) * _P1 + _P4) & _MASK
    rest = data[len(data) - len(data) % 8 :]
    if len(rest) >= 4:
        found = (_turn(found ^ int.from_bytes(rest[:4], "little") * _P1 & _MASK, 23) * _P2 + _P3) & _MASK
        rest = rest[4:]
    for byte in rest:
        found = _turn(found ^ byte * _P5 & _MASK, 11) * _P1 & _MASK
    for shift, factor in ((33, _P2), (29, _P3), (32, 1)):
        found = (found ^ found >> shift) * factor & _MASK
    return found


def _word(data: bytes | bytearray, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def _turn(x: int, by: int) -> int:
    return (x << by | x >> (64 - by)) & _MASK


def _step(lane: int, word: int) -> int:
    return _turn((lane + word * _P2) & _MASK, 31) * _P1 & _MASK
