"""How the compiled modules were built: asked of the compiler's own macros, not of what we meant to pass."""

from fastwrap._core.common.scratch cimport FW_SANITISED

cdef extern from *:
    """
    #ifdef __OPTIMIZE__
    #define FW_OPTIMISED 1
    #else
    #define FW_OPTIMISED 0
    #endif
    #if defined(__AVX__) || defined(__AVX2__) || defined(__AVX512F__)
    #define FW_PORTABLE 0
    #else
    #define FW_PORTABLE 1
    #endif
    #ifdef __VERSION__
    #define FW_COMPILER __VERSION__
    #else
    #define FW_COMPILER "unknown"
    #endif
    """
    bint FW_OPTIMISED
    bint FW_PORTABLE
    const char *FW_COMPILER

OPTIMISED = bool(FW_OPTIMISED)
ADDRESS_SANITIZER = bool(FW_SANITISED)
PORTABLE = bool(FW_PORTABLE)
COMPILER = FW_COMPILER.decode()
