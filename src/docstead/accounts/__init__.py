"""Accounts: organizations, projects, deployments, plans, keys and owners."""
