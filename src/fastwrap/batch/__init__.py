"""Batch runs: pages of folders, archives and tables into a folder of rows, by all cores, exactly once.
A run that was killed goes on; a page that fails, crashes or hangs is a row of errors."""

from __future__ import annotations

from fastwrap.batch.reading import FORMATS, Reading, wrapper_files
from fastwrap.batch.running import ENGINES, Summary, run

__all__ = ["ENGINES", "FORMATS", "Reading", "Summary", "run", "wrapper_files"]
