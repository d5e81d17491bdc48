"""Runs the command on a terminal, as a process of its own."""

from __future__ import annotations

import os
import pty
import subprocess
import sys


def run_in_terminal(*arguments: str, **environment: str) -> tuple[int, str]:
    """Run the command with both of its outputs on a terminal of 100 columns; the exit code, and what it shows."""
    mine, its = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "fastwrap.cli", *arguments],
        stdin=subprocess.DEVNULL, stdout=its, stderr=its,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **environment},
    ) as process:  # fmt: skip
        os.close(its)
        shown = bytearray()
        while True:
            try:
                piece = os.read(mine, 65536)
            except OSError:  # how Linux says that the other side is closed
                break
            if not piece:
                break
            shown += piece
    os.close(mine)
    return process.returncode, shown.decode("utf-8")
