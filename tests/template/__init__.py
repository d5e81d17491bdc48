"""Tests of `fastwrap.template`."""
