"""Texts in pieces and lists: for other native modules alone, see `folding.pxd`."""
