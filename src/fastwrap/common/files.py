"""Writes files so that a failure leaves the old one: the new one is made beside it and takes its name when it is whole.
What has no name of its own to take, such as a device, a pipe or /dev/stdout, is written to as it stands."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import IO, Any, BinaryIO, Literal, TextIO, overload

MOST_LINKS = 40
"""Symbolic links that lead on to each other, as Linux has it."""

OPEN_FILES = ("/proc/", "/dev/fd")
"""Folders whose entries are open files of a process: what they lead to is open already, and not to be replaced."""


def write_beside(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Write a file, whole or not at all; text in UTF-8, with line ends as they are.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_beside(f"{folder}/a.txt", "new")
    ...     [(file.name, file.read_text()) for file in pathlib.Path(folder).iterdir()]
    [('a.txt', 'new')]
    """
    with open_beside(path) as file:
        file.write(data.encode() if isinstance(data, str) else data)


@overload
def open_beside(path: str | os.PathLike[str]) -> AbstractContextManager[BinaryIO]: ...


@overload
def open_beside(path: str | os.PathLike[str], text: Literal[True]) -> AbstractContextManager[TextIO]: ...


@contextmanager
def open_beside(path: str | os.PathLike[str], text: bool = False) -> Iterator[Any]:
    """A stream that becomes the file when the block ends; if the block raises, the old file stays as it was.

    The stream takes bytes or, with `text`, text, which is written in UTF-8 with line ends as they are. Symbolic links
    are followed; the permissions of the old file are kept.
    """
    target = _target(os.fspath(path))
    old = None if target is None else _stat(target)
    if target is None or (old is not None and not stat.S_ISREG(old.st_mode)):
        with _stream(os.fspath(path), text) as stream:
            yield stream
        return
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    try:
        beside, descriptor = _new_file(os.path.dirname(target), old)
    except PermissionError:
        if old is None:
            raise
        # The file may be written, its folder may not: there is no place beside it.
        with _stream(target, text) as stream:
            yield stream
        return
    except FileNotFoundError:
        folder = os.path.dirname(os.fspath(path))
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", folder) from None
    try:
        with _stream(descriptor, text) as stream:
            yield stream
            stream.flush()
            if old is not None:
                os.fsync(stream.fileno())  # or a crash might leave the new name without the new content
        _take_name(beside, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(beside)
        raise


def _target(path: str) -> str | None:
    """The file that symbolic links lead to, which need not exist; None for an open file of a process."""
    for _ in range(MOST_LINKS):
        folder, name = os.path.split(path)
        folder = os.path.realpath(folder)
        if f"{folder}/".startswith(OPEN_FILES):
            return None
        path = os.path.join(folder, name)
        if not os.path.islink(path):
            return path
        path = os.path.join(folder, os.readlink(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _stream(file: str | int, text: bool) -> IO[Any]:
    return open(file, "w", encoding="utf-8", newline="") if text else open(file, "wb")


def _new_file(folder: str, old: os.stat_result | None) -> tuple[str, int]:
    """A new, empty file in a folder, and its descriptor; as open to others as the old file is, or as new files are."""
    path = os.path.join(folder, f".fastwrap-{secrets.token_hex(8)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags, 0o666 if old is None else 0o600)
    if old is not None:
        # Only root may give a file to others, and not all file systems know permissions.
        with suppress(OSError, AttributeError):
            os.chown(path, old.st_uid, old.st_gid)
        with suppress(OSError):
            os.chmod(path, stat.S_IMODE(old.st_mode))
    return path, descriptor


def _take_name(beside: str, target: str) -> None:
    """Give a new file the name of the old one."""
    try:
        os.replace(beside, target)
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        # A file that is mounted by itself, as containers have them, cannot be replaced.
        shutil.copyfile(beside, target)
        os.unlink(beside)
