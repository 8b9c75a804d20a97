from docstead.base import errors
from docstead.base.errors import DocsteadError, NotFound, RateLimited


def test_the_docstring_is_the_message_where_none_is_given() -> None:
    assert str(NotFound()) == "The resource does not exist."
    assert NotFound("gone").message == "gone"


def test_a_limit_says_when_to_come_back() -> None:
    error = RateLimited(retry_after_seconds=12, limit=100, window_seconds=3600, policy="agent")
    assert error.headers == {
        "Retry-After": "12",
        "RateLimit": '"agent";r=0;t=12',
        "RateLimit-Policy": '"agent";q=100;w=3600',
    }


def test_every_error_of_the_tree_has_a_status_of_its_own() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    tree = [kind for kind in kinds if issubclass(kind, DocsteadError)]
    # A kind of another, such as the errors of models, answers as that one does.
    direct = [kind for kind in tree if DocsteadError in (kind, kind.__base__)]
    statuses = [kind.status for kind in direct]
    assert len(statuses) > 8
    assert len(set(statuses)) == len(statuses)
