"""Server-rendered pages for the people who look after the documentation."""
