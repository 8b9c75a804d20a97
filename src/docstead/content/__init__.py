"""A documentation repository as frozen values, and functions of these values."""
