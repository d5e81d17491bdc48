"""Kernels of `fastwrap.columns`."""
