"""Docstead: a documentation repository becomes a site, answers and a bundle."""

__version__ = "0.1.0"
