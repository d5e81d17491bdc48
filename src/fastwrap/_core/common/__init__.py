"""What all kernels share: the page struct, buffers, hashing, scratch memory, atomics; and how they were built."""
