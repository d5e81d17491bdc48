"""Where the node arrays were described up to version 0.9."""

raise ImportError("fastwrap.arrays is fastwrap.page.arrays now: NodeArrays has the same fields")
