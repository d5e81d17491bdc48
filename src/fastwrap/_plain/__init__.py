"""Plain-Python versions of what `_core` does natively, for where it cannot be imported or trusted.
Slower, with the same results."""
