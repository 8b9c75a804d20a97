"""A documentation repository as frozen values, with a diagnostic for every fault."""
