"""Ways to cut a sequence of siblings into records: nothing here is for Python."""
