"""Who may use the service: organizations, projects, deployments, plans, keys and owners."""
