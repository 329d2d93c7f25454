# Solving slices: src/build/solver.h.

def can_build(str variant):
    return find_kernel(variant).rows() != NULL


def solver_memory(str variant, material, int threads, str metric="wdl"):
    cdef uint64_t planes, scratch
    cdef dame_status status = solver_bytes(find_kernel(variant).board, to_material(material),
                                           <distance><int>METRICS.index(metric), threads, &planes, &scratch)
    if status != DAME_OK:
        raise_status(status, slice_name(material))
    return planes, scratch


def side_memory(str variant, int men, int kings, str metric="wdl"):
    cdef uint64_t side, king_moves
    cdef dame_status status = solver_side_bytes(find_kernel(variant), men, kings,
                                                <distance><int>METRICS.index(metric), &side, &king_moves)
    if status != DAME_OK:
        raise_status(status, f"{men} men and {kings} kings")
    return side, king_moves


cdef class Solver:
    cdef c_solver *handle
    cdef const c_kernel *kernel

    def __cinit__(self, str variant, int pieces, spill=None, str metric="wdl", int draw_plies=0):
        cdef bytes directory = b"" if spill is None else os.fsencode(spill)
        cdef solver_options options
        options.spill = NULL if spill is None else PyBytes_AS_STRING(directory)
        options.distance = <distance><int>METRICS.index(metric)
        options.draw_plies = draw_plies
        self.kernel = find_kernel(variant)
        cdef dame_status status = solver_create(self.kernel, pieces, &options, &self.handle)
        if status == DAME_NOT_SUPPORTED:
            raise VariantError(f"tables of {variant} cannot be built yet")
        if status != DAME_OK:
            raise_status(status)

    def __dealloc__(self):
        solver_destroy(self.handle)

    def solve(self, material, int threads, Cancel cancel not None, Counter done not None):
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        with nogil:
            status = solver_solve(self.handle, wanted, threads, &cancel.flag, &done.count)
        if status != DAME_OK:
            raise_status(status, slice_name(material))

    cdef uint64_t run_length(self, c_material wanted) except 0:
        """Values of one configuration of men."""
        cdef index_shape shape
        cdef dame_status status = find_index_shape(self.kernel.board, wanted, &shape)
        if status != DAME_OK:
            raise_status(status, slice_name(from_material(wanted)))
        return shape.own_kings * shape.other_kings

    def load_start(self, material):
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        with nogil:
            status = solver_load_start(self.handle, wanted)
        if status != DAME_OK:
            raise_status(status, slice_name(material))

    def load_values(self, material, uint64_t first, uint64_t count, const uint8_t[::1] values, uint64_t first_value,
                    int threads, Cancel cancel not None):
        cdef c_material wanted = to_material(material)
        cdef uint64_t run = self.run_length(wanted), size = slice_values(self.kernel.rules.id.decode(), material)
        cdef dame_status status
        if first_value % 4 != 0 or first > size // run or count > size // run - first:
            raise ArgumentError(f"{slice_name(material)}: no configurations {first} to {first + count}")
        if first_value > first * run or (first + count) * run > first_value + 4 * <uint64_t>values.shape[0]:
            raise ArgumentError(f"{slice_name(material)}: the values do not reach configuration {first + count}")
        with nogil:
            status = solver_load_values(self.handle, wanted, first, count, &values[0], first_value, threads,
                                        &cancel.flag)
        if status != DAME_OK:
            raise_status(status, slice_name(material))

    def load_distances(self, material, uint64_t first, uint64_t count, const uint8_t[::1] distances,
                       uint64_t first_value, int threads, Cancel cancel not None):
        cdef c_material wanted = to_material(material)
        cdef uint64_t run = self.run_length(wanted)
        if first_value > first * run or (first + count) * run > first_value + <uint64_t>distances.shape[0]:
            raise ArgumentError(f"{slice_name(material)}: the distances do not reach configuration {first + count}")
        cdef dame_status status
        with nogil:
            status = solver_load_distances(self.handle, wanted, first, count, &distances[0], first_value, threads,
                                           &cancel.flag)
        if status != DAME_OK:
            raise_status(status, slice_name(material))

    def load_finish(self, int threads, Cancel cancel not None):
        cdef dame_status status
        with nogil:
            status = solver_load_finish(self.handle, threads, &cancel.flag)
        if status != DAME_OK:
            raise_status(status)

    def load_stop(self):
        with nogil:
            solver_load_stop(self.handle)

    def encode(self, material, uint64_t first, uint64_t count, uint8_t[::1] out, int threads, Cancel cancel not None):
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        if <uint64_t>out.shape[0] < (count + 3) // 4:
            raise ArgumentError(f"{count} values need {(count + 3) // 4} bytes, not {out.shape[0]}")
        with nogil:
            status = solver_encode(self.handle, wanted, first, count, &out[0], threads, &cancel.flag)
        if status != DAME_OK:
            raise_status(status, slice_name(material))

    def encode_distance(self, material, uint64_t first, uint64_t count, uint8_t[::1] out, int threads,
                        Cancel cancel not None):
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        if <uint64_t>out.shape[0] < count:
            raise ArgumentError(f"{count} distances need {count} bytes, not {out.shape[0]}")
        with nogil:
            status = solver_encode_distance(self.handle, wanted, first, count, &out[0], threads, &cancel.flag)
        if status != DAME_OK:
            raise_status(status, slice_name(material))

    def sample(self, material, uint64_t count, uint64_t seed, int threads, Cancel cancel not None):
        cdef c_material wanted = to_material(material)
        cdef sample_report report
        cdef dame_status status
        with nogil:
            status = solver_sample(self.handle, wanted, count, seed, threads, &cancel.flag, &report)
        if status != DAME_OK:
            raise_status(status, slice_name(material))
        return report.wrong

    def counts(self, material, Cancel cancel not None):
        cdef c_material wanted = to_material(material)
        cdef slice_counts counts
        cdef dame_status status
        with nogil:
            status = solver_counts(self.handle, wanted, &cancel.flag, &counts)
        if status != DAME_OK:
            raise_status(status, slice_name(material))
        return counts.win, counts.draw, counts.loss

    def longest(self, material, Cancel cancel not None):
        cdef c_material wanted = to_material(material)
        cdef slice_counts counts
        cdef dame_status status
        with nogil:
            status = solver_counts(self.handle, wanted, &cancel.flag, &counts)
        if status != DAME_OK:
            raise_status(status, slice_name(material))
        return [None if plies < 0 else plies for plies in (counts.longest_win, counts.longest_loss)]

    def drop(self, material):
        cdef c_material wanted = to_material(material)
        with nogil:
            solver_drop(self.handle, wanted)
