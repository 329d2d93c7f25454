"""Run a fuzz target in Python: fuzz_python.py TARGET [options of libFuzzer] [folders]. Needs atheris."""

import importlib
import sys

import atheris


def main() -> None:
    target, *arguments = sys.argv[1:]
    with atheris.instrument_imports(include=["dame_fast", "json"]):
        check = importlib.import_module(target).check
    atheris.Setup([f"{sys.argv[0]} {target}", *arguments], check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
