"""Plain-Python twins of the native kernels, straight from the papers.
They are slow and obviously right; the tests compare every backend with them."""
