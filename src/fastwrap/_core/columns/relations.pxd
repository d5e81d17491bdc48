"""What `relations` offers other native modules."""

from fastwrap._core.columns.known cimport Words

cpdef dict settle(list columns, bint are_posts, Words words)
