"""The kernel of `fastwrap.noise` in numba: tag path search."""
