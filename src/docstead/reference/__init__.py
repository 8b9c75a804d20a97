"""Reference pages of APIs and libraries: reading descriptions, rendering their pages."""
