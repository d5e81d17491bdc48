"""Content or noise: removes what is around the main region of a page (`fastwrap.clean`), and finds the texts that a
reader came for (`fastwrap.content`)."""

from fastwrap.noise.cleaning import clean

__all__ = ["clean"]
