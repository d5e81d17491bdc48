"""What `fastwrap bench` needs: pages to measure on, what is timed on each of them, rivals, and the report.
The same kind, size and seed give the same page on every machine, so that figures can be compared."""
