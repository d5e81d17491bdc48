"""What `numbers` offers other native modules."""

cpdef split_numbers(list strings, Py_ssize_t most_missed)
