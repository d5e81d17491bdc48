"""The second backend, FASTWRAP_BACKEND=numba: tree matching, Levenshtein and tag path search, compiled by numba.
Same function names, arguments and results as in `fastwrap._core`, whose modules explain the methods."""
