"""How the compiled modules were built: asked of the compiler's own macros, not of what we meant to pass."""

cdef extern from *:
    """
    #ifdef __OPTIMIZE__
    #define FW_OPTIMISED 1
    #else
    #define FW_OPTIMISED 0
    #endif
    #if defined(__SANITIZE_ADDRESS__)
    #define FW_SANITISED 1
    #elif defined(__has_feature)
    #if __has_feature(address_sanitizer)
    #define FW_SANITISED 1
    #endif
    #endif
    #ifndef FW_SANITISED
    #define FW_SANITISED 0
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
    bint FW_SANITISED
    bint FW_PORTABLE
    const char *FW_COMPILER

OPTIMISED = bool(FW_OPTIMISED)
ADDRESS_SANITIZER = bool(FW_SANITISED)
PORTABLE = bool(FW_PORTABLE)
COMPILER = FW_COMPILER.decode()
