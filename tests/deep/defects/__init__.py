"""Small defects that `small_defects.py` puts into modules."""
