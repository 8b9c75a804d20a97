"""All analytics in one object."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.analytics.conversations import ConversationReports
from docstead.analytics.feedback_entries import FeedbackRecords
from docstead.analytics.meaning import QuestionVectors, no_vectors
from docstead.analytics.page_feedback import PageFeedbackStore
from docstead.analytics.retention import ConversationRetention
from docstead.analytics.searches import SearchRecords
from docstead.analytics.visits import ViewRecords
from docstead.base.clock import Clock
from docstead.storage.database import Database


@dataclass(frozen=True)
class ReaderInsights:
    """Questions, searches, views and feedback of readers, and their deletion."""

    conversations: ConversationReports
    feedback: FeedbackRecords
    page_feedback: PageFeedbackStore
    searches: SearchRecords
    visits: ViewRecords
    forgetting: ConversationRetention
    question_vectors: QuestionVectors = no_vectors

    @classmethod
    def over(
        cls,
        database: Database,
        clock: Clock,
        *,
        days: int = 0,
        question_vectors: QuestionVectors = no_vectors,
    ) -> ReaderInsights:
        """Return the analytics of a database; rows older than `days` are deleted (0: none).

        `question_vectors` is the sentence model, if there is one.
        """
        return cls(
            conversations=ConversationReports(database),
            feedback=FeedbackRecords(database),
            page_feedback=PageFeedbackStore(database, clock),
            searches=SearchRecords(database, clock),
            visits=ViewRecords(database, clock),
            forgetting=ConversationRetention(database, clock, days=days),
            question_vectors=question_vectors,
        )

    def write(self) -> None:
        """Write collected events."""
        self.searches.write()
        self.visits.write()

    def upkeep(self) -> None:
        """Run the periodic tasks."""
        self.write()
        self.visits.forget_salts()
        self.forgetting.sweep()
