"""A conversation becomes an answer with sources, as events; threads are kept."""
