"""`python -m fastwrap`: the same as the command `fastwrap`, for where scripts are not on the path."""

from fastwrap.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
