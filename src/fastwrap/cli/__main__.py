"""`python -m fastwrap.cli`: as `python -m fastwrap`."""

from fastwrap.cli import main

raise SystemExit(main())
