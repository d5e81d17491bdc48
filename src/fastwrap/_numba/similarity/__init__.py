"""The kernels of `fastwrap.similarity` in numba."""
