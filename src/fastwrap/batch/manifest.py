"""The manifest of a run: one line of JSON for each thing that is done, on disk before the next one is begun.
A run that was killed goes on behind the last whole line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from fastwrap._version import __version__
from fastwrap.batch.writing import remove_files, sync_folder
from fastwrap.errors import FastwrapError

NAME = "manifest.jsonl"
FORMAT = 1


class Manifest:
    """The log of an output folder, open for writing by this process alone."""

    def __init__(self, folder: str, run: Mapping[str, Any], resume: bool) -> None:
        self.folder = folder
        self.parts: dict[int, dict[str, Any]] = {}
        """What was recorded of the parts that are done, by their numbers."""
        self.is_finished = False
        path = Path(folder, NAME)
        if path.exists() and not resume:
            raise FastwrapError(f"{folder} has the output of a run: go on with it (resume), or give another folder")
        os.makedirs(folder, exist_ok=True)
        if not path.exists() and os.listdir(folder):
            raise FastwrapError(f"{folder} is not empty, and has no {NAME}: give another folder")
        self._file: BinaryIO = open(path, "a+b")  # noqa: SIM115 - open as long as the run
        try:
            lock(self._file, folder)
            self.run = self._begin(run)
            self._remove_unrecorded()
        except BaseException:
            self._file.close()
            raise

    def _begin(self, run: Mapping[str, Any]) -> dict[str, Any]:
        """Read what there is, cut off what was not written whole, and compare; or write the first line."""
        self._file.seek(0)
        whole = 0
        head: dict[str, Any] | None = None
        for line in self._file:
            try:
                entry = json.loads(line) if line.endswith(b"\n") else None
            except ValueError:
                entry = None
            if not isinstance(entry, dict):
                break
            whole += len(line)
            if head is None:
                head = entry
            elif "part" in entry:
                self.parts[entry["part"]] = entry
            self.is_finished = "finished" in entry
        self._file.truncate(whole)
        self._file.seek(0, os.SEEK_END)
        if head is None:
            head = {"manifest": FORMAT, "fastwrap": __version__, **run}
            self._write(head)
            sync_folder(self.folder)
            return head
        if head.get("manifest") != FORMAT:
            raise FastwrapError(f"{self.folder}: {NAME} is not one of this version of fastwrap")
        for name, value in run.items():
            if head.get(name) != value and name != "lag":  # which goes on as it was begun
                raise FastwrapError(
                    f"{self.folder} has the output of a run with {name} {json.dumps(head.get(name))}, not"
                    f" {json.dumps(value)}"
                )
        return head

    def _write(self, entry: Mapping[str, Any]) -> None:
        # Bytes of a file name that are no UTF-8 are half of a surrogate pair here, which JSON writes as \udce9.
        self._file.write(json.dumps(entry, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def record(self, number: int, entry: Mapping[str, Any]) -> None:
        """Record that a part is done."""
        self.parts[number] = {"part": number, **entry}
        self.is_finished = False
        self._write(self.parts[number])

    def finish(self, totals: Mapping[str, Any]) -> None:
        """Record that all parts are."""
        if not self.is_finished:
            self._write({"finished": True, **totals})
            self.is_finished = True
        self._remove_unrecorded()

    def _remove_unrecorded(self) -> None:
        """Remove what a process that was killed has written of parts that it has not recorded: they are worked on
        again, and what comes of them then may be other files."""
        remove_files(self.folder, but={file["name"] for part in self.parts.values() for file in part.get("files", ())})

    def close(self) -> None:
        """Let other processes have it."""
        self._file.close()


def lock(file: BinaryIO, folder: str) -> None:
    """Keep other processes away, as long as this one lives and where the system can do that."""
    try:
        import fcntl
    except ImportError:  # Windows does not let two processes replace the same files anyway
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise FastwrapError(f"{folder}: another process is writing to this folder") from None
    except OSError:
        return  # a file system that knows no locks


def read(folder: str | os.PathLike[str]) -> Iterator[dict[str, Any]]:
    """The lines of a manifest that are whole: the run, its parts as they were done, and the end."""
    with open(Path(folder, NAME), "rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield json.loads(line)
