"""The children of every node of a page, clustered and cut: nothing here is for Python."""
