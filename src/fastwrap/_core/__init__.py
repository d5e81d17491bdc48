"""Native kernels over the node arrays: numpy buffers in, numpy buffers out, no GIL inside."""
