"""A documentation repository as frozen values, and functions on these values."""
