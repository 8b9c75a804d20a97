"""Answers to conversations, as events with sources; threads are stored."""
