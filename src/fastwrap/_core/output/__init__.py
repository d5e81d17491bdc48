"""Kernels of `fastwrap.wrapper`."""
