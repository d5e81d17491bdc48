"""Where the similarity of subtrees was up to version 0.9."""

raise ImportError("fastwrap.kernels is fastwrap.similarity now: the functions have the same names and arguments")
