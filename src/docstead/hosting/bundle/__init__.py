"""A bundle is fetched, checked, unpacked next to the live one, swapped in and served."""
