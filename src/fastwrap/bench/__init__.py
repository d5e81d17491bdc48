"""What `fastwrap bench` needs: `pages` writes pages to measure on, `stages` times the steps of the pipeline.
The same kind, size and seed give the same page on every machine, so that figures can be compared."""
