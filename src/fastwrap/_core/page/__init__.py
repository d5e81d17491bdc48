"""Kernels of `fastwrap.page`."""
