"""`ask`: a question answered from the data folder, with its sources or the nearest pages."""

from __future__ import annotations

import asyncio
import sys

import typer

from docstead.accounts.tenancy import Deployment
from docstead.app.services import Services, open_services
from docstead.assistant.conversation import Message, Question, Speaker
from docstead.assistant.events import Failed, Noted, SourceFound, TextDelta
from docstead.base.errors import Unavailable
from docstead.cli.tenants import deployment
from docstead.settings import load_settings


def run(question: str, *, domain: str | None) -> None:
    with open_services(load_settings()) as services:
        asyncio.run(_answer(services, deployment(services, domain), question))


async def _answer(services: Services, target: Deployment, question: str) -> None:
    sources, nearest = [], []
    asked = Question((Message(Speaker.USER, question),))
    async for event in services.assistant.answer(target, asked):
        match event:
            case SourceFound(source):
                sources.append(source)
            case TextDelta(text):
                sys.stdout.write(text)
                sys.stdout.flush()
            case Noted("nearest", pages):
                nearest = pages
            case Failed(message=message):
                raise Unavailable(message)
    typer.echo("")
    for number, source in enumerate(sources, 1):
        typer.echo(f"[{number}] {source.title}  {source.url}")
    for page in nearest:
        typer.echo(f"Nearest: {page['title']}  {page['url']}")
