"""Texts that Docstead adds to the content of a page: labels of fields and components.

English is here; translations are the room `content` of `site/shell/translations`. Whoever reads
a page reads them in its language, its Markdown and its sections too, which are made of the same
HTML. Words that a specification or its protocol gives stay as they are (`string`, `header`,
`enum`), and so do anchors: a link leads to the same part of a page in each language. What is
there for programs alone (llms.txt, the heading of a specification's excerpt) is English.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ContentWords:
    """Texts of one language. They are inserted into HTML unchanged, except those with Markdown."""

    colon: str = ": "  # between a word and what it is said of
    server: str = "Server"
    servers: str = "Servers"
    authorization: str = "Authorization"
    path_parameters: str = "Path parameters"
    query_parameters: str = "Query parameters"
    headers: str = "Headers"
    cookies: str = "Cookies"
    body: str = "Body"
    callbacks: str = "Callbacks"
    response: str = "Response"
    responses: str = "Responses"
    request_example: str = "Request example"
    response_example: str = "Response example"
    payload: str = "Payload"
    try_it: str = "Try it"
    connect: str = "Connect"
    messages_to_send: str = "Messages to send"
    messages_to_receive: str = "Messages to receive"
    send: str = "Send"
    receive: str = "Receive"
    message: str = "Message"
    example: str = "Example"
    properties: str = "Properties"
    alternatives: str = "Alternatives"
    variables: str = "Variables"
    arguments: str = "Arguments"
    returns: str = "Returns"
    fields: str = "Fields"
    values: str = "Values"
    implements: str = "Implements"
    possible_types: str = "Possible types"
    more: str = "{count} more"
    default: str = "default"
    required: str = "required"
    optional: str = "optional"
    deprecated: str = "deprecated"
    read_only: str = "read-only"
    write_only: str = "write-only"
    available_options: str = "Available options"
    minimum: str = "Minimum"
    exclusive_minimum: str = "Greater than"
    maximum: str = "Maximum"
    exclusive_maximum: str = "Less than"
    multiple_of: str = "Multiple of"
    min_length: str = "Minimum length"
    max_length: str = "Maximum length"
    pattern: str = "Pattern"
    min_items: str = "Minimum items"
    max_items: str = "Maximum items"
    key_note: str = "Your API key."  # this and the next two are Markdown
    basic_note: str = "`Basic` and the Base64 of `username:password`."
    bearer_note: str = "`Bearer <token>`, where `<token>` is your access token."
    note: str = "Note"
    info: str = "Info"
    tip: str = "Tip"
    check: str = "Success"
    warning: str = "Warning"
    danger: str = "Danger"
    details: str = "Details"
    prompt: str = "Prompt"
    show_prompt: str = "Show prompt"
    tab: str = "Tab"
    view: str = "View"
    contents: str = "On this page"
    section_link: str = "Link to this section"
    tags: str = "Tags"
    footnotes: str = "Footnotes"
    footnote_back: str = "Back to reference {reference}"
    task: str = "Task"
    not_rendered: str = "This page could not be rendered."
    parameters: str = "Parameters"
    type_parameters: str = "Type parameters"
    errors: str = "Errors"
    examples: str = "Examples"
    see_also: str = "See also"
    inherited: str = "Inherited"
    extends: str = "Extends"
    extended_by: str = "Extended by"
    implemented_by: str = "Implemented by"
    classes: str = "Classes"
    interfaces: str = "Interfaces"
    enums: str = "Enums"
    functions: str = "Functions"
    types: str = "Types"
    methods: str = "Methods"
    constructors: str = "Constructors"
    modules: str = "Modules"


ENGLISH = ContentWords()
