"""What a reader sees of a page: nothing here is for Python."""
