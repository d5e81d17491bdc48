"""Kernels of `fastwrap.template`."""
