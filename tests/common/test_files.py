"""Files are written whole or not at all: the old one stays, links and permissions stay, nothing else is left."""

from __future__ import annotations

import errno
import os
import resource
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from fastwrap.common import files
from fastwrap.common.files import open_beside, write_beside


@pytest.fixture(name="old")
def old_file(tmp_path: Path) -> Path:
    path = tmp_path / "file.txt"
    path.write_bytes(b"old")
    return path


def only(path: Path) -> bytes:
    """The content of the one file of its folder."""
    assert [*path.parent.iterdir()] == [path]
    return path.read_bytes()


def write_and_fail(path: Path, error: BaseException, text: bool) -> None:
    if text:
        with open_beside(path, text=True) as lines:
            lines.write("new")
            raise error
    with open_beside(path) as stream:
        stream.write(b"new")
        raise error


def test_a_file_is_written_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    write_beside(path, "ä\r\nb\n")
    assert only(path) == "ä\r\nb\n".encode()
    write_beside(str(path), b"\xff")
    assert only(path) == b"\xff"
    with open_beside(path, text=True) as text:
        print("ä\r", file=text)
    assert only(path) == "ä\r\n".encode()
    with open_beside(path) as stream:
        for number in range(9):
            stream.write(b"%d" % number)
    assert only(path) == b"012345678"


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "disk full"), ValueError("?"), KeyboardInterrupt(), GeneratorExit()]
)
@pytest.mark.parametrize("text", [False, True])
def test_what_fails_leaves_the_old_file(old: Path, error: BaseException, text: bool) -> None:
    with pytest.raises(type(error)):
        write_and_fail(old, error, text)
    assert only(old) == b"old"
    old.unlink()
    with pytest.raises(type(error)):
        write_and_fail(old, error, text)
    assert not [*old.parent.iterdir()]


def test_a_file_size_limit_leaves_the_old_file(old: Path) -> None:
    code = (
        "import resource, signal, sys; from fastwrap.common.files import write_beside\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: write_beside(sys.argv[1], b'x' * 100_000)\n"
        "except OSError as error: print(error.errno)"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(old)], capture_output=True, text=True, check=True)
    assert int(ran.stdout) == errno.EFBIG
    assert only(old) == b"old"


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_step_that_fails_leaves_the_old_file(old: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="broken"):
        write_beside(old, b"new")
    assert only(old) == b"old"


def test_nothing_is_seen_of_a_file_that_is_being_written(old: Path) -> None:
    with open_beside(old) as stream:
        stream.write(b"new")
        stream.flush()
        assert old.read_bytes() == b"old"
    assert only(old) == b"new"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_permissions_are_kept(old: Path, mode: int) -> None:
    old.chmod(mode)
    write_beside(old, b"new")
    assert stat.S_IMODE(old.stat().st_mode) == mode


def test_a_new_file_is_as_open_as_others(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"")
    write_beside(tmp_path / "new", b"")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_file_that_may_not_be_written_is_not_replaced(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old.chmod(0o444)
    # As for others than root.
    monkeypatch.setattr(os, "access", lambda path, _: stat.S_IMODE(os.stat(path).st_mode) != 0o444)
    with pytest.raises(PermissionError):
        write_beside(old, b"new")
    assert only(old) == b"old"


def test_a_folder_that_takes_no_files_and_a_file_that_cannot_be_replaced(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        raise OSError(errno.EBUSY, "mounted")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", busy)
        write_beside(old, b"copied")
    assert only(old) == b"copied"

    def closed(*_: object) -> None:
        raise PermissionError(errno.EACCES, "closed")

    monkeypatch.setattr(files, "_new_file", closed)
    write_beside(old, b"direct")
    assert only(old) == b"direct"
    with pytest.raises(PermissionError):
        write_beside(old.parent / "new", b"")


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "file"
    target.write_bytes(b"old")
    (tmp_path / "folder" / "second").symlink_to("file")
    (tmp_path / "first").symlink_to("folder/second")
    write_beside(tmp_path / "first", b"new")
    assert (tmp_path / "first").is_symlink()
    assert (tmp_path / "folder" / "second").is_symlink()
    assert target.read_bytes() == b"new"
    (tmp_path / "dangling").symlink_to("folder/third")
    write_beside(tmp_path / "dangling", b"made")
    assert (tmp_path / "folder" / "third").read_bytes() == b"made"
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match=os.strerror(errno.ELOOP)):
        write_beside(tmp_path / "loop", b"")


def test_names_in_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_beside("file", b"new")
    assert only(tmp_path / "file") == b"new"
    write_beside("x" * 255, b"long")
    assert (tmp_path / ("x" * 255)).read_bytes() == b"long"


def test_what_is_no_place_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write_beside(tmp_path, b"")
    with pytest.raises(FileNotFoundError):
        write_beside(tmp_path / "no" / "file", b"")
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(NotADirectoryError):
        write_beside(tmp_path / "file" / "below", b"")
    assert only(tmp_path / "file") == b"old"


def test_pipes_and_devices_are_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_beside(pipe, b"through")
    reader.join()
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    write_beside(os.devnull, b"away")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "link"])
def test_standard_output_is_written_to_wherever_it_leads(tmp_path: Path, name: str) -> None:
    """A shell that sent it to a file still has that file open."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    code = "import sys; from fastwrap.common.files import write_beside; write_beside(sys.argv[1], 'one\\n')"
    command = [sys.executable, "-c", code, name if name[0] == "/" else str(tmp_path / name)]
    with (tmp_path / "out").open("wb") as out:
        subprocess.run(command, stdout=out, check=True)
        assert os.stat(tmp_path / "out").st_ino == os.fstat(out.fileno()).st_ino
    assert (tmp_path / "out").read_bytes() == b"one\n"
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"one\n"


@pytest.mark.parametrize("old", [True, False])
def test_a_long_file_under_a_limit_of_open_files(tmp_path: Path, old: bool) -> None:
    """No descriptor is left open, whatever happens."""
    path = tmp_path / "file"
    if old:
        path.write_bytes(b"old")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    for _ in range(min(most, 300)):
        with pytest.raises(ValueError, match="no"), open_beside(path) as stream:
            raise ValueError("no")
        assert stream.closed
    assert path.exists() == old
