"""Sets of records: measured, joined and chosen: nothing here is for Python."""
