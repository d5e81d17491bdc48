"""Clusters of siblings, by tag and by tree: nothing here is for Python."""
