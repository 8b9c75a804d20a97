"""Hosting of an exported bundle: download, verify, unpack, activate and serve."""
