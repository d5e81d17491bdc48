"""Siblings that belong to a chosen set of records: nothing here is for Python."""
