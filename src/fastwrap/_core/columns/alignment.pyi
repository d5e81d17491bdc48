"""Partial tree alignment: for other native modules alone, see `alignment.pxd`."""
