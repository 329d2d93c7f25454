# Solving slices: src/build/solver.h.

def solver_memory(str variant, material, int threads, str metric="wdl"):
    cdef c_solver_needs needs
    cdef dame_status status = solver_needs(find_kernel(variant), to_material(material), find_metric(metric), threads,
                                           &needs)
    if status != DAME_OK:
        raise_status(status, slice_name(material))
    return needs.planes, needs.scratch, needs.stored, needs.pinned


def side_memory(str variant, int men, int kings, str metric="wdl"):
    cdef uint64_t side, king_moves
    cdef dame_status status = solver_side_bytes(find_kernel(variant), men, kings,
                                                find_metric(metric), &side, &king_moves)
    if status != DAME_OK:
        raise_status(status, f"{men} men and {kings} kings")
    return side, king_moves


def solver_units(str variant, material, str metric="wdl"):
    cdef solver_level *levels = <solver_level *>malloc(SOLVER_LEVELS_MAX * sizeof(solver_level))
    cdef int count = 0
    if levels == NULL:
        raise MemoryError
    try:
        status = solver_levels(find_kernel(variant), to_material(material), find_metric(metric), levels, &count)
        if status != DAME_OK:
            raise_status(status, slice_name(material))
        return [(levels[i].units, levels[i].values) for i in range(count)]
    finally:
        free(levels)


cdef class PartPaths:
    """Names of the files of a part, for each slice of a pair, while and after they are made."""

    cdef part_paths paths
    cdef list texts

    def __cinit__(self, partial, complete):
        self.texts = [os.fsencode(path) for path in (*partial, *complete)]
        if not 1 <= len(partial) == len(complete) <= 2:
            raise ArgumentError(f"a part has one file for each slice of a pair, not {len(self.texts)} names")
        for i in range(2):
            number = min(i, <int>len(partial) - 1)
            self.paths.partial[i] = PyBytes_AS_STRING(self.texts[number])
            self.paths.complete[i] = PyBytes_AS_STRING(self.texts[len(partial) + number])


cdef class SizeCall:
    """A function of Python that solver_encode_fit asks, and the first exception that it has raised."""

    cdef object size_of, error


cdef dame_status compressed_size(void *context, const uint8_t *source, size_t size, size_t *out) noexcept with gil:
    call = <SizeCall>context
    try:
        out[0] = call.size_of(PyMemoryView_FromMemory(<char *>source, size, PyBUF_READ))
        return DAME_OK
    except BaseException as error:
        call.error = call.error or error
        return DAME_CANCELLED


cdef raise_solver(c_solver *solver, dame_status status, str what):
    """Raise what a call has ended with; if a work file is to blame, the text is about that."""
    cdef bytes detail = bytes(DETAIL_MAX)
    cdef dame_status found = solver_take_failure(solver, PyBytes_AS_STRING(detail))
    cdef int number = errno
    if found == DAME_OK:
        raise_status(status, what)
    status = found  # threads may have failed for several reasons; the text is about this one
    text = os.fsdecode(detail.split(b"\0")[0])
    if status in (DAME_CORRUPT_TABLE, DAME_WRONG_VARIANT):
        raise WorkFileError(text)
    if status == DAME_IO:
        raise OSError(number, text) if number else OSError(text)
    raise_status(status, text)


cdef class EncodedBlocks:
    """Blocks that solver_encode_blocks has encoded, payload after payload."""

    cdef uint32_t count
    cdef uint8_t *bytes
    cdef size_t *sizes
    cdef block_form *forms
    cdef block_entry *found

    def __cinit__(self, uint32_t count):
        self.count = count
        self.bytes = <uint8_t *>malloc(<size_t>count * SOLVER_BLOCK_BYTES)
        self.sizes = <size_t *>malloc(count * sizeof(size_t))
        self.forms = <block_form *>malloc(count * sizeof(block_form))
        self.found = <block_entry *>malloc(count * sizeof(block_entry))
        if count != 0 and (self.bytes == NULL or self.sizes == NULL or self.forms == NULL or self.found == NULL):
            raise MemoryError

    def __dealloc__(self):
        free(self.bytes)
        free(self.sizes)
        free(self.forms)
        free(self.found)

    cdef encode(self, c_solver *solver, uint64_t first):
        cdef dame_status status
        with nogil:
            status = solver_encode_blocks(solver, first, self.count, self.bytes, self.sizes, self.forms)
        if status != DAME_OK:
            raise_solver(solver, status, f"{self.count} blocks from number {first} on")

    cdef list payloads(self):
        cdef const uint8_t *at = self.bytes
        cdef uint32_t i
        found = []
        for i in range(self.count):
            found.append((<int>self.forms[i], PyBytes_FromStringAndSize(<const char *>at, self.sizes[i])))
            at += self.sizes[i]
        return found

    cdef tuple content(self):
        """The entries of all blocks, and their bytes as the file holds them."""
        cdef const uint8_t *at = self.bytes
        cdef size_t size = 0
        cdef uint32_t i
        for i in range(self.count):
            size += TABLE_CHECKSUM_SIZE + self.sizes[i]
        content = bytes(size)
        cdef uint8_t *start = <uint8_t *>PyBytes_AS_STRING(content)
        cdef uint8_t *out = start
        with nogil:
            for i in range(self.count):
                self.found[i] = writer_entry(self.forms[i], at, self.sizes[i])
                out += writer_block(self.found[i], at, self.sizes[i], out)
                at += self.sizes[i]
        return [(<int>self.forms[i], self.found[i].length) for i in range(self.count)], content[:out - start]


cdef class Solver:
    cdef c_solver *handle
    cdef const c_kernel *kernel

    def __cinit__(self, str variant, int pieces, work=None, str metric="wdl", draw_rule=None, *,
                  uint64_t work_least=0, uint64_t budget=0, bint in_parts=False):
        cdef bytes directory = b"" if work is None else os.fsencode(work)
        cdef solver_options options
        options.work = NULL if work is None else PyBytes_AS_STRING(directory)
        options.work_least = work_least
        options.budget = budget
        options.in_parts = in_parts
        options.metric = find_metric(metric)
        options.draw_rule = to_draw_rule(draw_rule)
        self.kernel = find_kernel(variant)
        cdef dame_status status = solver_create(self.kernel, pieces, &options, &self.handle)
        if status != DAME_OK:
            raise_status(status)

    def __dealloc__(self):
        with nogil:
            solver_destroy(self.handle)

    cdef fail(self, dame_status status, str what=""):
        raise_solver(self.handle, status, what)

    def find(self, material):
        """Whether work files hold all of a slice and its mirror, which are in the solver then."""
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        cdef c_bool found = False
        with nogil:
            status = solver_find(self.handle, wanted, &found)
        if status != DAME_OK:
            self.fail(status, slice_name(material))
        return found

    def solve(self, material, int threads, Cancel cancel not None, Counter done not None):
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        with nogil:
            status = solver_solve(self.handle, wanted, threads, &cancel.flag, &done.count)
        if status != DAME_OK:
            self.fail(status, slice_name(material))

    def share(self, material):
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        with nogil:
            status = solver_share(self.handle, wanted)
        if status != DAME_OK:
            self.fail(status, slice_name(material))

    def add_part(self, material, path):
        cdef c_material wanted = to_material(material)
        cdef bytes name = os.fsencode(path)
        cdef const char *text = PyBytes_AS_STRING(name)
        cdef uint64_t placements
        cdef dame_status status
        with nogil:
            status = solver_add_part(self.handle, wanted, text, &placements)
        if status != DAME_OK:
            self.fail(status, slice_name(material))
        return placements

    def solve_units(self, material, uint64_t first, uint64_t count, partial, complete, int threads,
                    Cancel cancel not None, Counter done not None):
        cdef c_material wanted = to_material(material)
        cdef PartPaths names = PartPaths(partial, complete)
        cdef uint64_t placements[2]
        cdef dame_status status
        with nogil:
            status = solver_solve_units(self.handle, wanted, first, count, &names.paths, threads, &cancel.flag,
                                        &done.count, placements)
        if status != DAME_OK:
            self.fail(status, slice_name(material))
        return placements[0], placements[1]

    def traffic(self):
        cdef uint64_t read, written
        with nogil:
            solver_traffic(self.handle, &read, &written)
        return read, written

    def load_start(self, material):
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        with nogil:
            status = solver_load_start(self.handle, wanted)
        if status != DAME_OK:
            self.fail(status, slice_name(material))

    def load_values(self, material, int nesting, uint64_t first, uint64_t count, const uint8_t[::1] values, int threads,
                    Cancel cancel not None):
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        if first % VALUES_PER_BYTE != 0 or count > <uint64_t>VALUES_PER_BYTE * values.shape[0] or count == 0:
            raise ArgumentError(f"{slice_name(material)}: {values.shape[0]} bytes do not hold {count} values from {first} on")
        with nogil:
            status = solver_load_values(self.handle, wanted, nesting, first, count, &values[0], threads, &cancel.flag)
        if status != DAME_OK:
            self.fail(status, slice_name(material))

    def load_distances(self, material, int nesting, uint64_t first, uint64_t count, const uint8_t[::1] distances,
                       int threads, Cancel cancel not None):
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        if count > <uint64_t>distances.shape[0] or count == 0:
            raise ArgumentError(f"{slice_name(material)}: {distances.shape[0]} bytes do not hold {count} distances")
        with nogil:
            status = solver_load_distances(self.handle, wanted, nesting, first, count, &distances[0], threads,
                                           &cancel.flag)
        if status != DAME_OK:
            self.fail(status, slice_name(material))

    def load_finish(self, int threads, Cancel cancel not None, partial=(), complete=()):
        cdef PartPaths names = PartPaths(partial, complete) if partial or complete else None
        cdef const part_paths *paths = NULL if names is None else &names.paths
        cdef dame_status status
        with nogil:
            status = solver_load_finish(self.handle, paths, threads, &cancel.flag)
        if status != DAME_OK:
            self.fail(status)

    def load_stop(self):
        with nogil:
            solver_load_stop(self.handle)

    def encode_start(self, material, str metric, int threads, Cancel cancel not None):
        cdef c_material wanted = to_material(material)
        cdef bint distances = metric_has_plies(find_metric(metric))
        cdef dame_status status
        with nogil:
            status = solver_encode_start(self.handle, wanted, distances, threads, &cancel.flag)
        if status != DAME_OK:
            self.fail(status, slice_name(material))

    def encode_fit(self, size_of, int threads, Cancel cancel not None):
        cdef solver_coding found
        cdef compressor asked
        cdef dame_status status
        cdef SizeCall call = SizeCall()
        call.size_of = size_of
        asked.size = compressed_size
        asked.context = <void *>call
        with nogil:
            status = solver_encode_fit(self.handle, &asked, threads, &cancel.flag, &found)
        if call.error is not None:
            raise call.error
        if status != DAME_OK:
            self.fail(status)
        model = PyBytes_FromStringAndSize(<char *>found.model, found.model_size)
        return found.nesting, found.block_bytes, found.blocks, found.together, model

    def encode_blocks(self, uint64_t first, uint32_t count):
        cdef EncodedBlocks blocks = EncodedBlocks(count)
        blocks.encode(self.handle, first)
        return blocks.payloads()

    def encode_content(self, uint64_t first, uint32_t count):
        cdef EncodedBlocks blocks = EncodedBlocks(count)
        blocks.encode(self.handle, first)
        return blocks.content()

    def encode_stop(self):
        with nogil:
            solver_encode_stop(self.handle)

    def sample(self, material, uint64_t count, uint64_t seed, int threads, Cancel cancel not None):
        cdef c_material wanted = to_material(material)
        cdef sample_report report
        cdef dame_status status
        with nogil:
            status = solver_sample(self.handle, wanted, count, seed, threads, &cancel.flag, &report)
        if status != DAME_OK:
            self.fail(status, slice_name(material))
        return report.wrong

    def counts(self, material, Cancel cancel not None):
        cdef c_material wanted = to_material(material)
        cdef slice_counts counts
        cdef dame_status status
        with nogil:
            status = solver_counts(self.handle, wanted, &cancel.flag, &counts)
        if status != DAME_OK:
            self.fail(status, slice_name(material))
        longest = [None if plies < 0 else plies for plies in (counts.longest_win, counts.longest_loss)]
        return (counts.win, counts.draw, counts.loss), longest

    def drop(self, material):
        cdef c_material wanted = to_material(material)
        with nogil:
            solver_drop(self.handle, wanted)
