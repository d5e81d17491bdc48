"""Kernels of `fastwrap.similarity`."""
