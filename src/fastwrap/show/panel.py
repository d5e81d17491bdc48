"""The panel beside the page: for each region its table, and the reasons for it and for its columns.
Everything that comes from a page is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from fastwrap.extraction import Column, DataRegion
from fastwrap.show.frame import quoted
from fastwrap.show.regions import ShownRegion

MAX_LETTERS = 160  # of a value that are shown; pointing at it shows more
MAX_TITLE = 1_000
MAX_NAME = 40
MAX_RENAMED = 100  # letters of a name that a person gives to a column
MAX_LEFT_OUT = 200  # items that are not columns; some forums have thousands


def shortened(text: str, letters: int) -> str:
    """The beginning of a text, as it stands in HTML.

    >>> shortened("a < b and c", 8), shortened("a < b", 8)
    ('a &lt; b a…', 'a &lt; b')
    """
    return quoted(text if len(text) <= letters else text[: letters - 1] + "…")


def counted(number: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "list"), counted(2000, "record")
    ('1 list', '2,000 records')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def choices(regions: Sequence[ShownRegion]) -> str:
    """The buttons that choose a region."""
    buttons = labels = ""
    for shown in regions:
        checked, records = "", f"{len(shown.records)}"
        if shown.number == 0:
            checked = " checked"
            records = "what the page is about" if shown.region is None else counted(len(shown.records), "record")
        buttons += (
            f'<input type="radio" name="region" id="region-{shown.number}"{checked} aria-label="{called(shown)}">'
        )
        labels += f'<label for="region-{shown.number}" data-region="{shown.number}">{records}</label>'
    return f'{buttons}<div class="tabs">{labels}</div>'


def called(shown: ShownRegion) -> str:
    """What a list is called."""
    if shown.region is None:
        return "what the page is about"
    return f"list {shown.number + 1}, {counted(len(shown.records), 'record')}"


def section(shown: ShownRegion, editable: bool = False) -> str:
    """One region: its table and its reasons; `editable` if its columns can be renamed."""
    heads = "".join(
        f'<th scope="col" class="{style(column)}" data-column="{shown.number}.{number}" data-hue="{number}"'
        f' aria-sort="none" title="{shortened(column.path, MAX_TITLE)}"{hidden(shown, column)}>'
        f'<button type="button"><span>{shortened(column.name, MAX_NAME)}</span>'
        f"<small>{type_of(column)}</small></button></th>"
        for number, column in enumerate(shown.columns)
    )
    rows = "".join(
        f'<tr data-record="{shown.number}.{number}"><th scope="row">{number + 1}</th>'
        f"{''.join(cells(shown, number))}</tr>"
        for number in range(len(shown.rows))
    )
    reasons = "".join(
        f"<div><dt>{shortened(name, MAX_NAME)}</dt><dd>{shortened(reason(value), MAX_NAME)}</dd></div>"
        for name, value in ({} if shown.region is None else {"score": shown.region.score, **shown.region.why}).items()
    )
    cut = []
    if len(shown.rows) < len(shown.records):
        cut.append(f"{len(shown.rows):,} of {counted(len(shown.records), 'record')}")
    if len(shown.columns) < len(shown.all_columns):
        cut.append(f"{len(shown.columns):,} of {counted(len(shown.all_columns), 'column')}")
    left_out = f'<p class="cut">Only {" and ".join(cut)} are shown here.</p>' if cut else ""
    why = reasons and f"<h2>Why this list</h2><dl>{reasons}</dl>"
    lines = "".join(column_reasons(shown, editable))
    head = "Columns <small>tick to show, type to rename</small>" if editable else "Why these columns"
    about = f"<h2>{head}</h2><table>{lines}</table>{left_out_columns(shown, editable)}"
    return (
        f'<section class="list" id="list-{shown.number}" data-region="{shown.number}">'
        f'<div class="table"><table role="grid" aria-label="{called(shown)}">'
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        f"{left_out}</div>"
        f'<div class="why">{about + why if editable else why + about}</div></section>'
    )


def cells(shown: ShownRegion, row: int) -> Iterator[str]:
    """The values of a record."""
    for number, column in enumerate(shown.columns):
        text, value = shown.rows[row][number], shown.numbers[row][number]
        if not text:
            yield f'<td data-of="{number}"{hidden(shown, column)}></td>'
            continue
        title = f' title="{shortened(text, MAX_TITLE)}"' if len(text) > 12 else ""
        sorted_by = "" if value is None else f' data-number="{value!r}"'
        yield (
            f'<td class="{style(column)}" data-of="{number}" data-hue="{number}"{title}{sorted_by}'
            f"{hidden(shown, column)}>{shortened(text, MAX_LETTERS)}</td>"
        )


def hidden(shown: ShownRegion, column: Column) -> str:
    """The attribute of what is of a column that is hidden at first."""
    return " hidden" if column.name in shown.left_out else ""


def type_of(column: Column) -> str:
    """The type of a column; of a list, that of what is in it."""
    if len(column.columns) == 1:
        return f"list of {column.columns[0].type}"
    return f"list of {len(column.columns)} columns" if column.columns else column.type


def style(column: Column) -> str:
    """How a column looks: addresses are narrow, what is the same everywhere is faint."""
    return f"{column.type} fixed" if column.template else column.type


def column_reasons(shown: ShownRegion, editable: bool) -> Iterator[str]:
    """For each column a line: what it is called, where it is from, and why it is called so."""
    for number, column in enumerate(shown.columns):
        if column.name not in shown.left_out:
            why = ", ".join(f"{kind} {reason(found)}" for kind, found in column.why.items())
            yield column_line(shown, number, editable, why)


def column_line(shown: ShownRegion, number: int, editable: bool, why: str) -> str:
    """A line about a column, with what shows and hides it, and what renames it."""
    column = shown.columns[number]
    name, place = shortened(column.name, MAX_NAME), f"{shown.number}.{number}"
    checked = "" if column.name in shown.left_out else " checked"
    named = name
    if editable:
        named = (
            f'<input type="text" data-renames="{place}" value="{quoted(column.name)}" maxlength="{MAX_RENAMED}"'
            f' aria-label="the name of the column {name}" spellcheck="false" autocomplete="off">'
        )
    return (
        f'<tr data-column="{place}"><th scope="row" data-hue="{number}"><input type="checkbox" data-shows="{place}"'
        f' aria-label="show the column {name}"{checked}>{named}</th>'
        f"<td><code>{path(column.path)}</code></td><td>{shortened(why, MAX_LETTERS)}</td></tr>"
    )


def left_out_columns(shown: ShownRegion, editable: bool) -> str:
    """What of the records is not shown, and why."""
    if shown.left_out:
        offered = [number for number, column in enumerate(shown.columns) if column.name in shown.left_out]
        table = "".join(
            column_line(shown, number, editable, shown.left_out[shown.columns[number].name]) for number in offered
        )
        return left_out_section(table, shown.more + len(shown.left_out) - len(offered))
    region = shown.region
    left_out = [] if region is None or isinstance(region, DataRegion) else region.table.left_out
    if not left_out:
        return ""
    lines = "".join(
        f"<tr><td><code>{path(item.path)}</code></td><td>{shortened(item.why, MAX_LETTERS)}</td></tr>"
        for item in left_out[:MAX_LEFT_OUT]
    )
    return left_out_section(lines, len(left_out) - MAX_LEFT_OUT)


def path(text: str) -> str:
    """A path, which is broken between its steps where it is too long for a line.

    >>> path("li/h3/#text")
    'li/<wbr>h3/<wbr>#text'
    """
    return shortened(text, MAX_LETTERS).replace("/", "/<wbr>")


def left_out_section(lines: str, more: int) -> str:
    """What is left out, and how many more there are."""
    rest = f'<p class="cut">And {more:,} more.</p>' if more > 0 else ""
    return f"<h2>What is left out</h2><table>{lines}</table>{rest}"


def reason(value: float | str) -> str:
    """A reason as text; numbers with three digits.

    >>> reason(0.51482), reason(23.0), reason(1234.5), reason("head to head")
    ('0.515', '23', '1,234', 'head to head')
    """
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.3g}" if abs(value) < 1_000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
