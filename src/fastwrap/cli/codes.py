"""Exit codes of all commands: scripts may rely on them."""

DONE = 0
NOTHING_FOUND = 1
BAD_USE = 2  # bad use, or input that cannot be read
INTERRUPTED = 130  # as shells count it: 128, and the number of the signal
