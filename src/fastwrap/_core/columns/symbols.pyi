"""Symbols of the nodes of records: for other native modules alone, see `symbols.pxd`."""
