"""Durable jobs, which survive a killed process and continue at the interrupted step."""

from docstead.jobs.context import JobContext, JobInterrupted
from docstead.jobs.runner import Jobs

__all__ = ["JobContext", "JobInterrupted", "Jobs"]
