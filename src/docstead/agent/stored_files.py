"""Files of instructions and images of tool results, in the database.

They are deleted when their job is archived.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, delete, insert, select

from docstead.agent.texts import storable
from docstead.agent.values import Instruction
from docstead.models.chat import InputFile
from docstead.storage.schema import agent_attachments, agent_turns

FIRST_PICTURE = 1_000  # position of a turn's first image, after its attached files


def insert_files(connection: Connection, turn_id: str, instruction: Instruction) -> None:
    """Store the files of a turn's instruction."""
    rows = [
        {
            "turn_id": turn_id, "position": position, "name": storable(file.name),
            "media_type": file.media_type, "data": file.data,
        }
        for position, file in enumerate(instruction.files, 1)
    ]  # fmt: skip
    if rows:
        connection.execute(insert(agent_attachments), rows)


def files_of(connection: Connection, turn_id: str) -> tuple[InputFile, ...]:
    """Return the files of a turn's instruction in order."""
    columns = agent_attachments.c
    query = (
        select(columns.name, columns.media_type, columns.data)
        .where(columns.turn_id == turn_id, columns.position < FIRST_PICTURE)
        .order_by(columns.position)
    )
    return tuple(InputFile(*row) for row in connection.execute(query))


def insert_picture(connection: Connection, turn_id: str, position: int, picture: InputFile) -> None:
    """Store the image of a tool result."""
    row = {
        "turn_id": turn_id, "position": position, "name": picture.name,
        "media_type": picture.media_type, "data": picture.data,
    }  # fmt: skip
    connection.execute(insert(agent_attachments).values(row))


def picture_of(connection: Connection, turn_id: str, position: int) -> InputFile | None:
    """Return the image of a tool result, or None after its job was archived."""
    columns = agent_attachments.c
    query = select(columns.name, columns.media_type, columns.data).where(
        columns.turn_id == turn_id, columns.position == position
    )
    row = connection.execute(query).first()
    return None if row is None else InputFile(*row)


def file_names(connection: Connection, job_id: str) -> dict[str, list[str]]:
    """Return the names of files attached to a job's instructions, by turn."""
    columns = agent_attachments.c
    query = (
        select(columns.turn_id, columns.name)
        .join(agent_turns, agent_turns.c.id == columns.turn_id)
        .where(agent_turns.c.job_id == job_id, columns.position < FIRST_PICTURE)
        .order_by(columns.turn_id, columns.position)
    )
    names: dict[str, list[str]] = {}
    for turn_id, name in connection.execute(query):
        names.setdefault(turn_id, []).append(name)
    return names


def delete_files(connection: Connection, job_ids: Collection[str]) -> None:
    """Delete the files of these jobs."""
    turns = select(agent_turns.c.id).where(agent_turns.c.job_id.in_(job_ids))
    connection.execute(delete(agent_attachments).where(agent_attachments.c.turn_id.in_(turns)))
