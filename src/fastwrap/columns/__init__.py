"""Columns: from the records of a region to a table, by a template that is learned once and applied to other pages.
Partial tree alignment (PTA, Zhai & Liu 2005): one tree is grown until every record's nodes have a slot in it.
"""

from fastwrap.columns.given import GivenColumn, GivenTable
from fastwrap.columns.layout import Layout
from fastwrap.columns.learning import apply, learn
from fastwrap.columns.records import Cell
from fastwrap.columns.table import Column, Table
from fastwrap.columns.template import Template

__all__ = ["Cell", "Column", "GivenColumn", "GivenTable", "Layout", "Table", "Template", "apply", "learn"]
