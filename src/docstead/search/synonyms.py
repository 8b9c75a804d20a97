"""Synonyms in documentation.

Mainly abbreviations, which readers type but headings spell out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

_SETS = """
airgapped offline internet
auth authentication authorization
cert certs certificate certificates
coupon discount
cost price pricing fee
conf config configuration configure settings
cred creds credentials
db database
delete remove
deps dependencies
dev development
dir directory folder
docs documentation
env environment
func function
heartbeat health
img image
install installation setup
k8s kubernetes
llm model
local localhost
login signin
logout signout
msg message
oss open-source
param params parameter argument
perf performance
perms permissions
pkg package
prod production
repo repository
server node
sso saml
tls ssl https
var variable
"""


def synonyms(stem: Callable[[str], str]) -> Mapping[str, tuple[str, ...]]:
    """Return the stems of synonyms for each stem."""
    table: dict[str, tuple[str, ...]] = {}
    for line in _SETS.split("\n"):
        stems = list(dict.fromkeys(stem(word) for word in line.split()))
        for each in stems:
            table[each] = (*table.get(each, ()), *(other for other in stems if other != each))
    return table
