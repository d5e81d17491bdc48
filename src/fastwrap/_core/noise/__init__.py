"""Kernels of `fastwrap.noise`."""
