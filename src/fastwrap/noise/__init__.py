"""Content or noise: removes what is around the main region of a page (`fastwrap.clean`)."""

from fastwrap.noise.cleaning import clean

__all__ = ["clean"]
