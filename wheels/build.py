"""Builds the wheel and the sdist, installs each into a clean environment, and tries it there.

    python3 wheels/build.py        needs the PyPA tool `build`, which it installs into wheels/out/tools

What is built stays in wheels/out/dist and is not committed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "wheels" / "out"
DIST = OUT / "dist"


def environment(name: str) -> Path:
    """A new virtual environment; returns its Python."""
    venv.create(OUT / name, with_pip=True, clear=True)
    return OUT / name / "bin" / "python"


def run(*command: str | Path, cwd: Path = OUT) -> None:
    """Run a command outside of the checkout, so that only what is installed can be imported."""
    print("+", *command, flush=True)
    subprocess.run([str(part) for part in command], cwd=cwd, check=True)


def main() -> int:
    """Build both, then install and try each."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    tools = environment("tools")
    run(tools, "-m", "pip", "install", "--quiet", "build")
    # `build` makes the wheel from the sdist, so a file missing from the sdist is noticed here.
    run(tools, "-m", "build", "--outdir", DIST, ROOT)
    for archive in sorted(DIST.iterdir()):
        python = environment(f"try-{'wheel' if archive.suffix == '.whl' else 'sdist'}")
        run(python, "-m", "pip", "install", "--quiet", archive)
        run(python, ROOT / "wheels" / "smoke.py")
    print("built and tried:", *(archive.name for archive in sorted(DIST.iterdir())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
