# The atomic exchange of a pointer: how the pools of arenas, parsers and scratch memory are shared by threads.

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    #define fw_exchange(place, value) _InterlockedExchangePointer(place, value)
    #else
    #define fw_exchange(place, value) __atomic_exchange_n(place, value, __ATOMIC_ACQ_REL)
    #endif
    """
    void *exchange "fw_exchange"(void **place, void *value) noexcept nogil
