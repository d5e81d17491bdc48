"""Plain-Python twins of the kernels in `fastwrap._core.template`."""
