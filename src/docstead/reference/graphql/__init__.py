"""GraphQL: root fields and types of a schema."""
