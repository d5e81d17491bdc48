"""What `addresses` offers other native modules."""

cpdef list resolve(list addresses, str scheme, str origin, str directory)
