"""fastwrap in the tools that people have: each module is the one door to a library, imported when it is asked for.
Those for engines call `fastwrap.arrow` on their batches."""
