"""How the compiled modules were built: asked of the compiler's own macros, not of what we meant to pass."""

OPTIMISED: bool
"""Built with an optimisation level above -O0 (MSVC does not say, and counts as False)."""
ADDRESS_SANITIZER: bool
"""Built by FASTWRAP_DEBUG=1."""
PORTABLE: bool
"""Built without instructions (AVX) that not every x86_64 has."""
COMPILER: str
"""The compiler's own version string."""
