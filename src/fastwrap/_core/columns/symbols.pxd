"""What `symbols` offers other native modules: the symbols of records, to learn a template and to read by one."""

from libc.stdint cimport int32_t, uint8_t

from fastwrap._core.columns.alignment cimport Aligner, Records
from fastwrap._core.common.page cimport PageArrays


cdef struct TellingSymbols:
    # The symbols that a template tells nodes apart by.
    const uint8_t *telling      # path -> whether symbols tell its nodes apart
    const int32_t *labels       # symbols of texts that many records have; they ascend
    Py_ssize_t label_count


cdef int32_t symbols_to_learn(const PageArrays *page, const Records *records, int32_t enough,
                              int32_t *symbols) noexcept nogil
cdef void symbols_to_read(const PageArrays *page, const Aligner *aligner, const Records *records,
                          const TellingSymbols *known, int32_t *symbols, int32_t *path) noexcept nogil
