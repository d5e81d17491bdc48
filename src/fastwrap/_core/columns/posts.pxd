"""What `posts` offers other native modules."""

from fastwrap._core.columns.known cimport Words

cpdef dict find_posts(list columns, markup, Words words)
