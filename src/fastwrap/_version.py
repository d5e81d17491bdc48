"""The version, in one place that setuptools can read without importing the package."""

__version__ = "0.10.0"
