"""The kernels again in numba, for platforms without the compiled ones.
Same function names, arguments and results as `fastwrap._core`, whose modules explain the methods."""
