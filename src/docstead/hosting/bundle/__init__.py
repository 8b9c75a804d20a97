"""A bundle is fetched, checked, unpacked beside the live one, put in its place and served."""
