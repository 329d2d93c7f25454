# Table files, and probing them: src/tables, src/probe.

cdef dict header_facts(const table_header *header):
    facts = {
        "variant": header.variant.decode(),
        "metric": METRICS[<int>header.metric],
        **rule_plies(header.draw_rule),
        "material": from_material(header.material),
        "block_size": header.block_size,
        "nesting": header.nesting,
        "values": header.values,
        "win": header.win,
        "draw": header.draw,
        "loss": header.loss,
        "max_win": None if header.longest_win == TABLE_NO_DISTANCE else header.longest_win,
        "max_loss": None if header.longest_loss == TABLE_NO_DISTANCE else header.longest_loss,
        "bytes": header.file_size,
    }
    return facts


def peek(str path):
    cdef table_header header
    detail = bytes(DETAIL_MAX)
    cdef dame_status status = table_peek(os.fsencode(path), &header, PyBytes_AS_STRING(detail))
    if status != DAME_OK:
        raise_status(status, path, detail)
    return header_facts(&header)


def front_size(int model_size=0):
    return writer_size(model_size)


def stored_block(int form, const uint8_t[::1] payload):
    cdef block_entry entry = writer_entry(<block_form>form, &payload[0], payload.shape[0])
    content = bytes(TABLE_CHECKSUM_SIZE + payload.shape[0])
    cdef size_t size = writer_block(entry, &payload[0], payload.shape[0], <uint8_t *>PyBytes_AS_STRING(content))
    return (form, entry.length), content[:size]


cdef block_entry *copy_entries(entries) except NULL:
    cdef size_t i, count = len(entries)
    cdef block_entry *copy = <block_entry *>malloc(count * sizeof(block_entry))
    if copy == NULL:
        raise MemoryError
    for i in range(count):
        copy[i].form, copy[i].length = entries[i]
        copy[i].more = 0
    return copy


def pack_table(entries):
    """Block table for the entries that stored_block() gave."""
    cdef size_t count = len(entries)
    cdef block_entry *copy = copy_entries(entries)
    try:
        table = bytes(count * TABLE_ENTRY_SIZE)
        return table[:writer_table(copy, count, <uint8_t *>PyBytes_AS_STRING(table))]
    finally:
        free(copy)


def pack_front(str variant, material, int block_size, counts, entries, str metric="wdl", draw_rule=None,
               longest=(None, None), int nesting=0, bytes model=b""):
    """Header and model for the entries that stored_block() gave."""
    cdef const c_kernel *kernel = find_kernel(variant)
    cdef table_header facts
    cdef index_shape shape
    cdef dame_status status = find_index_shape(kernel.board, to_material(material), nesting, &shape)
    cdef bytes name = variant.encode()
    cdef size_t i
    if status != DAME_OK:
        raise_status(status, slice_name(material))
    facts.metric = find_metric(metric)
    facts.coding = METRIC_PAGES[<int>facts.metric].coding
    facts.draw_rule = to_draw_rule(draw_rule)
    facts.material = to_material(material)
    facts.block_size = block_size
    facts.values = shape.size
    facts.win, facts.draw, facts.loss = counts
    facts.longest_win, facts.longest_loss = [TABLE_NO_DISTANCE if plies is None else plies for plies in longest]
    facts.block_count = len(entries)
    facts.nesting = nesting
    facts.model_size = len(model)
    for i in range(sizeof(facts.variant)):
        facts.variant[i] = 0
    memcpy(facts.variant, PyBytes_AS_STRING(name), PyBytes_GET_SIZE(name))
    cdef size_t size = writer_size(facts.model_size)
    cdef block_entry *table = copy_entries(entries)
    detail = bytes(DETAIL_MAX)
    try:
        front = bytes(size)
        status = writer_write(&facts, kernel.board, table, <const uint8_t *>PyBytes_AS_STRING(model),
                              <uint8_t *>PyBytes_AS_STRING(front), size, PyBytes_AS_STRING(detail))
        if status != DAME_OK:
            raise_status(status, slice_name(material), detail)
        return front
    finally:
        free(table)


# Decompressors wait here for the next thread that needs one: no two threads may use one at once. (Threads of the core
# have no thread-local storage of Python: it goes when a call ends.)
idle_decompressors = []
WINDOW_MOST = 1 << 27


cdef dame_status decode_zstd(void *context, const uint8_t *source, size_t size, uint8_t *target, size_t capacity,
                             size_t *written) noexcept with gil:
    cdef bytes decoded
    try:
        frame = PyMemoryView_FromMemory(<char *>source, size, PyBUF_READ)
        if not 0 <= zstandard.frame_content_size(frame) <= capacity:
            return DAME_CORRUPT_TABLE
        try:
            decompressor = idle_decompressors.pop()
        except IndexError:
            decompressor = zstandard.ZstdDecompressor(max_window_size=WINDOW_MOST)
        decoded = decompressor.decompress(frame, allow_extra_data=False)
        idle_decompressors.append(decompressor)
        if <size_t>PyBytes_GET_SIZE(decoded) > capacity:
            return DAME_CORRUPT_TABLE
        memcpy(target, PyBytes_AS_STRING(decoded), PyBytes_GET_SIZE(decoded))
        written[0] = PyBytes_GET_SIZE(decoded)
        return DAME_OK
    except zstandard.ZstdError:
        return DAME_CORRUPT_TABLE
    except MemoryError:
        return DAME_NO_MEMORY
    except BaseException:  # an interrupt: nobody may take the table for damaged
        return DAME_CANCELLED


cdef class Table:
    cdef c_table *handle
    cdef str path

    def __cinit__(self, str path, str variant):
        cdef codec zstd
        zstd.decode = decode_zstd
        zstd.context = NULL
        self.path = path
        detail = bytes(DETAIL_MAX)
        cdef dame_status status = table_open(NULL, os.fsencode(path), name_bytes(variant),
                                             find_kernel(variant).board, &zstd, &self.handle,
                                             PyBytes_AS_STRING(detail))
        if status != DAME_OK:
            raise_status(status, path, detail)

    def __dealloc__(self):
        table_close(self.handle)

    @property
    def facts(self):
        return header_facts(find_header(self.handle))

    def check(self, Cancel cancel not None):
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status
        with nogil:
            status = table_check(self.handle, &cancel.flag, text)
        if status != DAME_OK:
            raise_status(status, self.path, detail)

    def read(self, uint64_t first, uint64_t count, Cancel cancel not None):
        cdef const table_header *header = find_header(self.handle)
        cdef uint64_t in_block = <uint64_t>header.block_size * layout_values_per_byte(header)
        if count == 0 or first > header.values or count > header.values - first:
            raise ArgumentError(f"{self.path}: no values {first} to {first + count}")
        cdef uint32_t block, start = first // in_block, end = (first + count - 1) // in_block + 1
        cdef uint64_t size = 0, at = 0
        for block in range(start, end):
            size += layout_block_bytes(header, block)
        values = bytearray(size)
        cdef uint8_t[::1] view = values
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status = DAME_OK
        with nogil:
            for block in range(start, end):
                if load_flag(&cancel.flag):
                    status = DAME_CANCELLED
                else:
                    status = table_read(self.handle, block, &view[at], text)
                if status != DAME_OK:
                    break
                at += layout_block_bytes(header, block)
        if status != DAME_OK:
            raise_status(status, self.path, detail)
        return start * in_block, values


cdef none_if_negative(int plies):
    return None if plies < 0 else plies


def describe_missing(material, str metric):
    """The text for a missing table, without where it was looked for."""
    name = f"{sum(material)} pieces" if sum(material) > PIECES_MAX else slice_name(material)
    return f"no table of {name}" + (f" with the metric {metric}" if metric_has_plies(find_metric(metric)) else "")


MoveValue = namedtuple("MoveValue", "wdl plies traps clock ends missing")


cdef read_move_value(const move_value *value):
    cdef int metric
    plies = tuple([none_if_negative(value.plies[metric]) for metric in range(len(METRICS))])
    if value.wdl != MOVE_UNKNOWN:
        return MoveValue(value.wdl, plies, value.traps, value.clock, value.ends, None)
    missing = describe_missing(from_material(value.missing.material), METRICS[value.missing.metric])
    return MoveValue(None, plies, value.traps, value.clock, value.ends, missing)


def order_moves(values):
    """Numbers of the moves, the best first."""
    cdef int i, metric, count = len(values)
    if count > MOVES_MAX:
        raise ArgumentError(f"no position has {count} moves")
    cdef move_value *given = <move_value *>malloc((count + 1) * sizeof(move_value))
    cdef int *order = <int *>malloc((count + 1) * sizeof(int))
    try:
        if given == NULL or order == NULL:
            raise MemoryError
        for i in range(count):
            wdl, plies, given[i].traps, given[i].clock, given[i].ends, _ = values[i]
            given[i].wdl = MOVE_UNKNOWN if wdl is None else wdl
            for metric in range(len(METRICS)):
                given[i].plies[metric] = NO_PLIES if plies[metric] is None else plies[metric]
        moves_order(given, count, order)
        return [order[i] for i in range(count)]
    finally:
        free(given)
        free(order)


def result_at_end(bint misere, bint has_move, draw_rule, int clock):
    """Result for the side to move of a game that is over, None if it goes on."""
    cdef outcome end
    return end.wdl if outcome_at_end(misere, has_move, to_draw_rule(draw_rule), clock, &end) else None


cdef class Library:
    cdef c_library *handle
    cdef const c_kernel *kernel
    cdef public object describe

    def __cinit__(self, str variant, uint64_t cache_bytes, Library source=None):
        self.describe = describe_missing if source is None else source.describe
        cdef codec zstd
        zstd.decode = decode_zstd
        zstd.context = NULL
        self.kernel = find_kernel(variant)
        cdef dame_status status
        if source is None:
            status = library_create(name_bytes(variant), &zstd, cache_bytes, &self.handle)
        else:
            status = library_copy(source.handle, cache_bytes, &self.handle)
        if status != DAME_OK:
            raise_status(status, variant)

    def __dealloc__(self):
        library_destroy(self.handle)

    def copy(self, uint64_t cache_bytes):
        return Library(self.kernel.rules.id.decode(), cache_bytes, self)

    cdef raise_missing(self, missing_table missing):
        raise MissingTableError(self.describe(from_material(missing.material), METRICS[missing.metric]))

    def add(self, str path):
        detail = bytes(DETAIL_MAX)
        cdef dame_status status = library_add_file(self.handle, os.fsencode(path), PyBytes_AS_STRING(detail))
        if status != DAME_OK:
            raise_status(status, path, detail)

    def preload(self, int pieces, uint64_t max_bytes, int threads, Cancel cancel not None, Counter done=None):
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef atomic_uint_fast64_t *count = NULL if done is None else &done.count
        cdef dame_status status
        with nogil:
            status = library_preload(self.handle, pieces, max_bytes, threads, &cancel.flag, count, text)
        if status != DAME_OK:
            raise_status(status, "", detail)

    def resolve(self, int pieces, int threads, Cancel cancel not None, Counter done=None):
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef atomic_uint_fast64_t *count = NULL if done is None else &done.count
        cdef missing_table missing
        cdef dame_status status
        with nogil:
            status = library_resolve(self.handle, pieces, threads, &cancel.flag, count, &missing, text)
        if status == DAME_NO_TABLE:
            self.raise_missing(missing)
        if status != DAME_OK:
            raise_status(status, "", detail)

    @property
    def headers(self):
        return [header_facts(library_header(self.handle, i)) for i in range(library_count(self.handle))]

    @property
    def largest(self):
        return library_largest(self.handle)

    def find(self, material, str metric="wdl"):
        return library_find(self.handle, to_material(material), find_metric(metric)) >= 0

    @property
    def statistics(self):
        cdef cache_statistics found = library_statistics(self.handle)
        return {"hits": found.hits, "misses": found.misses, "decoded_bytes": found.decoded_bytes, "decode_time": found.decode_time / 1e9,
                "kept_bytes": found.kept_bytes}

    def probe(self, position, int clock=0):
        cdef c_position seen = turn_position(self.kernel, position)
        cdef int wdl = 0
        cdef missing_table missing
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status
        with nogil:
            status = probe_wdl_clock(self.handle, &seen, clock, &wdl, &missing, text)
        if status == DAME_NO_TABLE:
            self.raise_missing(missing)
        if status != DAME_OK:
            raise_status(status, "", detail)
        return wdl

    def probe_plies(self, str metric, position, int clock=0):
        cdef c_position seen = turn_position(self.kernel, position)
        cdef c_metric what = find_metric(metric)
        cdef int wdl = 0, plies = 0
        cdef missing_table missing
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status
        if not metric_has_plies(what):
            raise ArgumentError(f"the metric {metric} has no plies")
        with nogil:
            status = c_probe_plies(self.handle, what, &seen, clock, &wdl, &plies, &missing, text)
        if status == DAME_NO_TABLE:
            self.raise_missing(missing)
        if status != DAME_OK:
            raise_status(status, "", detail)
        return wdl, none_if_negative(plies)

    def move_values(self, position, int clock=0):
        cdef c_position seen = turn_position(self.kernel, position)
        cdef move_list *moves = <move_list *>malloc(sizeof(move_list))
        cdef move_value *values = <move_value *>malloc(MOVES_MAX * sizeof(move_value))
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status
        cdef int i
        try:
            if moves == NULL or values == NULL:
                raise MemoryError
            with nogil:
                status = moves_probe(self.handle, &seen, clock, moves, values, text)
            if status != DAME_OK:
                raise_status(status, "", detail)
            return [read_move_value(&values[i]) for i in range(moves.count)]
        finally:
            free(moves)
            free(values)

    def probe_many(self, const uint64_t[:, ::1] rows, int8_t[::1] out, int threads, Cancel cancel not None):
        cdef size_t count = rows.shape[0]
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status
        if rows.shape[1] != PROBE_WORDS or <size_t>out.shape[0] != count:
            raise ArgumentError(f"positions have the shape (n, {PROBE_WORDS})")
        if count == 0:
            return
        with nogil:
            status = c_probe_many(self.handle, &rows[0, 0], count, &out[0], threads, &cancel.flag, text)
        if status != DAME_OK:
            raise_status(status, "", detail)

    def verify(self, material, int threads, Cancel cancel not None, Counter done not None, sample=None, uint64_t seed=0,
               str metric="wdl"):
        cdef c_material wanted = to_material(material)
        cdef c_metric what = find_metric(metric)
        cdef verify_report report
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status
        cdef uint64_t count = 0 if sample is None else sample
        cdef bint full = sample is None
        with nogil:
            if full:
                status = verify_slice(self.handle, wanted, what, threads, &cancel.flag, &done.count, &report, text)
            else:
                status = verify_sample(self.handle, wanted, what, count, seed, threads, &cancel.flag, &done.count,
                                       &report, text)
        if status == DAME_NO_TABLE:
            self.raise_missing(report.missing)
        if status != DAME_OK:
            raise_status(status, "", detail)
        first = None
        if report.wrong:
            first = (lay_position(report.first_wrong),
                     (report.first_wrong_stored, none_if_negative(report.first_wrong_stored_plies)),
                     (report.first_wrong_derived, none_if_negative(report.first_wrong_derived_plies)))
        return {"positions": report.positions, "wrong": report.wrong, "first_wrong": first,
                "counts_agree": bool(report.counts_agree), "counts": (report.win, report.draw, report.loss),
                "longest": (none_if_negative(report.longest_win), none_if_negative(report.longest_loss))}

    def longest(self, material, str metric, int wdl, size_t limit, int threads, Cancel cancel not None,
                Counter done not None):
        cdef c_material wanted = to_material(material)
        cdef c_metric what = find_metric(metric)
        cdef longest_report report
        cdef size_t i
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status
        cdef c_position *found = <c_position *>malloc((limit or 1) * sizeof(c_position))
        if found == NULL:
            raise MemoryError
        try:
            with nogil:
                status = longest_find(self.handle, wanted, what, wdl, found, limit, threads, &cancel.flag, &done.count,
                                      &report, text)
            if status == DAME_NO_TABLE:
                self.raise_missing(report.missing)
            if status != DAME_OK:
                raise_status(status, "", detail)
            return [lay_position(found[i]) for i in range(report.count)]
        finally:
            free(found)
