"""Kernels of `fastwrap.types`."""
