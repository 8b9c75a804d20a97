"""All that maintainers learn, in one value."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.assistant.insights.conversations import Conversations
from docstead.assistant.insights.forgetting import Forgetting
from docstead.assistant.insights.searches import Searches
from docstead.base.clock import Clock
from docstead.storage.database import Database


@dataclass(frozen=True)
class Insights:
    """Conversations and searches, and how they are forgotten."""

    conversations: Conversations
    searches: Searches
    forgetting: Forgetting

    @classmethod
    def over(cls, database: Database, clock: Clock, *, days: int = 0) -> Insights:
        """Over this database; what is older than `days` goes in time, 0 keeps it for ever."""
        forgetting = Forgetting(database, clock, days=days)
        return cls(Conversations(database), Searches(database, clock), forgetting)

    def upkeep(self) -> None:
        """What is to be done now and then."""
        self.searches.write()
        self.forgetting.sweep()
