"""Evaluators of tables: the columns that are shown as a person sees them, and how well values are aligned in columns.
Both count what `tables.compare` found, page by page and over all pages."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from fastwrap.tools.evaluate.evaluators import Attempt, Evaluator, Figures, Totals, mean, rounded, scored


class Columns:
    """The table that is shown against the one that a person would have made, by the rule of the project's referee.

    Recall is of all values of the fields that are not optional: those that stand in the column of their field.
    Precision is of all filled cells of the columns shown: clutter costs. Columns of optional fields, and headings over
    groups of records, count neither way. Only a truth with all fields of its page can tell clutter.
    """

    name = "columns"

    def measure(self, attempt: Attempt) -> Figures | None:
        """Cells: right, shown and true; fields, and those whose column has a name that fits; the shape of the table."""
        table = attempt.comparison
        if table is None or not table.key.is_complete:
            return None
        right = sum(map(table.right, table.wanted))
        spare = table.spare
        shown = sum(count for column, count in table.filled.items() if column not in spare)
        true = sum(table.true[number] for number in table.wanted)
        columns = len(table.shown.columns)
        return {
            "right": right,
            "shown": shown,
            "true": true,
            "f1": cell_f1(right, shown, true),
            "fields": len(table.wanted),
            "named": sum(map(table.is_named, table.wanted)),
            "width": columns / max(len(table.key.fields), 1),
            "filled": sum(table.filled.values()) / max(columns * len(table.shown.records), 1),
        }

    def total(self, pages: Sequence[Figures]) -> Totals:
        """Of all cells, and of all fields; of the pages the mean F1 and the mean share of filled cells, and the median
        of the columns shown for each field."""
        right, shown, true, fields, named = (
            sum(page[name] for page in pages) for name in ("right", "shown", "true", "fields", "named")
        )
        return {
            "precision": rounded(right / max(shown, 1)),
            "recall": rounded(right / max(true, 1)),
            "f1": rounded(cell_f1(right, shown, true)),
            "macro": rounded(statistics.mean(page["f1"] for page in pages)),
            "names": rounded(named / max(fields, 1)),
            "width": round(statistics.median(page["width"] for page in pages), 2),
            "filled": round(statistics.mean(page["filled"] for page in pages), 3),
        }


def cell_f1(right: float, shown: float, true: float) -> float:
    """F1 of the cells of a table; 0 where there is nothing at all, for a page with a table has some.

    >>> cell_f1(right=3, shown=4, true=5), cell_f1(0, 0, 0)
    (0.6666666666666666, 0.0)
    """
    return 2 * right / max(shown + true, 1)


class Alignment:
    """How well the values of one field stand in one column, as the papers on alignment count: by values and by columns.

    By values (DEPTA): recall is of all values of the fields that are not optional, precision of all filled cells of the
    columns that serve one. By columns (FiVaTech): a column is right when it holds at least 60% of the values of its
    field, and these are at least 60% of what it holds; recall is of the fields, precision of the columns that serve
    one. Columns that serve no field cost nothing here. `whole` is the share of fields of which no value stands
    elsewhere.
    """

    name = "alignment"
    LEAST = 0.6

    def measure(self, attempt: Attempt) -> Figures | None:
        """Values and columns: right, found and true."""
        table = attempt.comparison
        if table is None:
            return None
        fields = [number for number in table.wanted if table.true[number]]
        served = [number for number in fields if number in table.column_of]
        filled = {number: table.filled[table.column_of[number]] for number in served}
        values = {
            "values_right": sum(map(table.right, served)),
            "values_found": sum(filled.values()),
            "values_true": sum(table.true[number] for number in fields),
        }
        return {
            **values,
            "f1": cell_f1(*values.values()),
            "columns_right": sum(
                table.right(number) >= self.LEAST * max(table.true[number], filled[number]) for number in served
            ),
            "columns_found": len(served),
            "columns_true": len(fields),
            "columns_whole": sum(table.right(number) == table.true[number] for number in served),
        }

    def total(self, pages: Sequence[Figures]) -> Totals:
        """Precision, recall and F1 of all values, and of all columns; the share of fields that are whole."""
        fields = sum(page["columns_true"] for page in pages)
        return {
            **{what: scored(pages, f"{what}_right", f"{what}_found", f"{what}_true") for what in ("values", "columns")},
            "whole": mean([sum(page["columns_whole"] for page in pages) / fields] if fields else []),
        }


TABLE_EVALUATORS: tuple[Evaluator, ...] = (Columns(), Alignment())
"""What `fastwrap eval` measures on pages with the truth of a table."""
