"""`python -m fastwrap.cli`: the same as the command `fastwrap`, for where scripts are not on the path."""

from fastwrap.cli import main

raise SystemExit(main())
