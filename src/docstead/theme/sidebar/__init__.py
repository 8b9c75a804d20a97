"""Sidebars of a site and of its pages."""
