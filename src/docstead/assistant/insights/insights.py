"""All that maintainers learn, in one value."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.assistant.insights.conversations import Conversations
from docstead.assistant.insights.forgetting import Forgetting
from docstead.assistant.insights.opinions import Opinions
from docstead.assistant.insights.page_feedback import PageFeedbackStore
from docstead.assistant.insights.searches import Searches
from docstead.assistant.insights.visits import Visits
from docstead.base.clock import Clock
from docstead.storage.database import Database


@dataclass(frozen=True)
class Insights:
    """Questions, searches, views and feedback of readers, and their deletion."""

    conversations: Conversations
    opinions: Opinions
    page_feedback: PageFeedbackStore
    searches: Searches
    visits: Visits
    forgetting: Forgetting

    @classmethod
    def over(cls, database: Database, clock: Clock, *, days: int = 0) -> Insights:
        """Over this database; what is older than `days` goes in time, 0 keeps it for ever."""
        return cls(
            conversations=Conversations(database),
            opinions=Opinions(database),
            page_feedback=PageFeedbackStore(database, clock),
            searches=Searches(database, clock),
            visits=Visits(database, clock),
            forgetting=Forgetting(database, clock, days=days),
        )

    def write(self) -> None:
        """Keep what was noted and not written yet."""
        self.searches.write()
        self.visits.write()

    def upkeep(self) -> None:
        """Do the periodic tasks."""
        self.write()
        self.visits.forget_salts()
        self.forgetting.sweep()
