"""Kernels of `fastwrap.structured`."""
