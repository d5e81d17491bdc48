"""Kernels of `fastwrap.detail`."""
