"""Grammars of symbol strings: induce an expression from examples, match strings with it, write and read its text.
It knows nothing of pages: a symbol is any int, a string any sequence of them.

>>> expression = induce([[1, 2, 1, 2, 3, 1, 2, 9], [1, 2, 3, 1, 2, 9]])
>>> str(expression)
'(1 2 3?)+ 9'
>>> matcher = Matcher(parse_expression("(1 2 3?)+ 9"))
>>> matcher.match([1, 2, 3, 1, 2, 3, 1, 2, 9]).iterations(0)
[(0, 3), (3, 6), (6, 8)]
>>> matcher.tolerant([1, 2, 7, 1, 2, 9]).skipped_elements
(2,)
"""

from __future__ import annotations

from fastwrap.grammar.automaton import Automaton
from fastwrap.grammar.expression import Expression, parse_expression
from fastwrap.grammar.induction import Induction, induce
from fastwrap.grammar.matching import SKIPPED, Match, Matcher

__all__ = ["SKIPPED", "Automaton", "Expression", "Induction", "Match", "Matcher", "induce", "parse_expression"]
