"""Separators that texts agree on: for other native modules alone, see `separators.pxd`."""
