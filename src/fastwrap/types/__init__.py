"""Types of columns: given the raw strings of a column, its type and its values as that type.
Decided by all strings together: one that has two readings is read like those that have one.

| type | value | read from |
|---|---|---|
| text | str, white space normalised | everything else |
| integer, number | int, float | `1,234`, `1.234,56`, `1 234`, `(12)`, `3.`; `12 reviews` if all have the same words |
| money | `Money(amount, currency)` | `R$ 1.234,56`, `$5`, `12,- €`, `from $5 each` |
| percent | float, 12.5 for 12.5% | `12,5 %`, `- 43%`, `Save 31%` |
| date, time, datetime | of the module datetime | ISO 8601, `3/4/2003`, `3. März 2003`, `Jan 5, 2014 3:00 pm`, `9h30` |
| url, image | str, absolute if the page's address is known | href, src and their like; texts `http://...`, `www...` |
| email, phone | str, as written | `a@example.org`, `(205) 854-1688`, links `mailto:`, `tel:` |
| rating | float | `4.5 out of 5`, `4,5/5`, `★★★☆☆`, `4 stars` |
| boolean | bool | yes and no, ✓ and ✗, in stock and sold out, in the main languages; one word for each |

A column has a type other than text if at least 90% of its filled strings read as that type. Strings without a digit in
a column of numbers or dates, such as "Call us", and spans of prices, such as "$5 - $9", count half; those that say that
nothing is known ("-", "n/a") do not count. Nothing is lost: the value of a string that does not read is the string
itself, words that all numbers have are the column's unit ("km", "from …", "% off", "out of 5"), and `remainders` tells
the strings that say more than their value. Only a mark alone ("-", "?", "…") is None, as if absent; and links that lead
nowhere ("#", "javascript:").

What has two readings is not guessed. The first of these decides that can: the column (`25/12/2003`, `1.234,56`), the
other columns of the table, the language, the country of the page's address. If none can, the column is text, and says
why. Prices have no three decimals: `$1.234` is a thousand, unless the page is known to have decimal points.
Never numbers: digits with leading zeros, or all of one length from 8 on (codes, ISBN), numbers in names (`iPhone 5`),
spans (`10-20`), versions (`1.2.3`). Never dates: without a year, `3 days ago`. Never times: lengths of time, `3:45`.

`typed` looks at all columns once (the kernel `strings`), and asks the readers of `registry` about those that may have a
type, in their order. A new column type is one new file here that ends in a `Reader`, and one line in `registry`.
"""

from fastwrap.types.reading import Money, Value
from fastwrap.types.registry import TYPES
from fastwrap.types.remainders import STRINGS, remainders
from fastwrap.types.typed import TypedColumn, is_text, type_column, type_columns

__all__ = [
    "STRINGS", "TYPES", "Money", "TypedColumn", "Value", "is_text", "remainders", "type_column", "type_columns",
]  # fmt: skip
