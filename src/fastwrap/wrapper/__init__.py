"""Wrappers: learn the template of a site's pages once, apply it at the speed of the parse, know when it no longer fits.
After G-STM (Jindal & Liu 2010; Moura 2018, 3): lists, an expression for their children, columns of their records."""

from __future__ import annotations

from fastwrap.wrapper.choosing import WrapperSet
from fastwrap.wrapper.fitting import Check, ColumnCheck
from fastwrap.wrapper.healing import HealedColumn, Healing, HealingReport
from fastwrap.wrapper.learning import learn
from fastwrap.wrapper.templates import learn_all
from fastwrap.wrapper.wrapper import Misfit, Skipped, Wrapper

__all__ = [
    "Check", "ColumnCheck", "HealedColumn", "Healing", "HealingReport", "Misfit", "Skipped", "Wrapper", "WrapperSet",
    "learn", "learn_all",
]  # fmt: skip
