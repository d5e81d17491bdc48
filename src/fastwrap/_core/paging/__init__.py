"""Kernels of `fastwrap.paging`."""
