"""Items and the columns they make: for other native modules alone, see `items.pxd`."""
