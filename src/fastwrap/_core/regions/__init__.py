"""Kernels of `fastwrap.regions`."""
