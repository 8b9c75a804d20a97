"""Questions from headings."""

from __future__ import annotations

import pytest

from docstead.assistant.heading_questions import question_of
from docstead.assistant.topic_questions import question_about, question_on_page


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("How to rotate a key", "How do I rotate a key?"),
        ("What is a key", "What is a key?"),
        ("Enabling background tasks", "How do I enable background tasks?"),
        ("Set the query", "How do I set the query?"),
        ("2. Create Your API Key", "How do I create my API key?"),
        ("Limit discounts", ""),  # or is it a limit?
        ("Limit your discounts", "How do I limit my discounts?"),
        ("Sync Interval", ""),
        ("Connect Parcelo Cloud to Your Depot", "How do I connect Parcelo Cloud to my depot?"),
        ("Set up", ""),
        ("Set Up Routing", "How do I set up routing?"),
        ("Add to your page", ""),
        ("How routing works", "How does routing work?"),
        ("How it works?", ""),
        ("What to do if your parcel is lost", "What do I do if my parcel is lost?"),
        ("🙌 Ready to switch?", ""),
        ("🚀 Who Should Use Parcels?", "Who should use parcels?"),
        ("Using a scanner?", "How do I use a scanner?"),
        ("What authors decide", ""),
        ("How to fix it", ""),
        ("`publish` creates another folder", ""),
        ("GET /v1/keys", ""),
        ("What happened?", ""),
        ("Do not open the box", ""),
        ("My parcel is late. Why?", "My parcel is late. Why?"),
        ("Getting 401 with a valid key?", "Why do I get 401 with a valid key?"),
        ("When to rotate a key", "When should I rotate a key?"),
        ("When to use this", ""),
        ("When to use", ""),
        ("publish creates another folder", ""),
        ("Manage requests from users", "How do I manage requests from users?"),
        ("Configure it", ""),
        ("Filtering options", ""),
        ("Deploy rejected — no secret", ""),
        ("What's new?", ""),
        ("What happens after a rotation", "What happens after a rotation?"),
        ("Types of parcels", "What are the types of parcels?"),
        ("Which plan is right for you?", "Which plan is right for me?"),
        ("Configure `DEPOT_ID` (optional)", "How do I configure DEPOT_ID?"),
        ("Delete vs disable", ""),
        ("Build with AI: overview", ""),
        ("Delete Keys", "How do I delete keys?"),
        ("Streaming agent", ""),  # a kind of agent
        ("Tracking URL", ""),
        ("Has daily limits", ""),
        ("Getting help", ""),
        ("Group by", ""),  # what is grouped?
        ("Access to parcels", ""),
        ("Cancelling parcels", ""),
        ("Cancel parcels", "How do I cancel parcels?"),
        ("View parcel details", "How do I view parcel details?"),
        ("Tracing API", ""),
        ("Add or remove depots", "How do I add or remove depots?"),
        ("Testing and development", ""),
        ("Labelling and sending parcels", ""),
        ("Why authenticate with keys", "Why should I authenticate with keys?"),
        ("Why audit logs matter", ""),
    ],
)
def test_a_heading_is_asked_as_a_reader_would(heading: str, question: str) -> None:
    assert question_of(heading, names="Parcelo Cloud", is_english_text=True) == question


@pytest.mark.parametrize(("heading", "question"), [("キーとは？", "キーとは？"), ("Add Köln", "")])
def test_other_languages_ask_only_what_stands_there(heading: str, question: str) -> None:
    assert question_of(heading, is_english_text=False) == question


@pytest.mark.parametrize(
    ("topic", "question"),
    [
        ("Session keys", "How do session keys work?"),
        ("Private networking", "How does private networking work?"),
        ("Environment variables", "Which environment variables are there?"),
        ("Key Rotatable", ""),  # no common word
        ("Browser extension", ""),  # needs an article
        ("Breaking changes", ""),
        ("Key differences", ""),
        ("Coming soon", ""),
        ("Routing", ""),
        ("Calculate gas fees", ""),
        ("Declare query parameters", ""),
        ("Error handling", "How do I handle errors?"),
        ("HTTP status codes", "Which HTTP status codes are there?"),
        ("Supported languages", "Which languages are supported?"),
        ("Available depots", "Which depots are available?"),
        ("Node.js vs. Python", "What is the difference between Node.js and Python?"),
        ("Install VS Code", ""),
        ("Custom labels", "How do I use custom labels?"),
        ("Custom domain", "How do I use a custom domain?"),
        ("Parcels not arriving", "Why are parcels not arriving?"),
        ("1. Depots vs shops", ""),
    ],
)
def test_a_topic_is_asked_about(topic: str, question: str) -> None:
    assert question_about(topic) == question


@pytest.mark.parametrize(
    ("heading", "title", "question"),
    [
        ("Installation", "RainbowKit", "How do I install RainbowKit?"),
        ("How it works", "Session keys", "How do session keys work?"),
        ("Limits", "WebSockets", "What are the limits of WebSockets?"),
        ("Troubleshooting", "Parcel tracking", "How do I troubleshoot parcel tracking?"),
        ("Testing", "Parcels", "How do I test parcels?"),
        ("Testing", "Parcel tracking", ""),
        ("Install", "Installation", ""),
        ("Usage", "Recovering keys", ""),
        ("Responses", "Session keys", ""),
    ],
)
def test_a_part_of_a_page_asks_about_its_title(heading: str, title: str, question: str) -> None:
    assert question_on_page(heading, title) == question
