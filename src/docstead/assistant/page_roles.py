"""Pages that nearly every documentation has, which readers ask for in the same words.

"What is Acme?" asks for the introduction, "how do I get started" for the first steps, "what does it
cost" for the prices. Search often prefers pages with more of these words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice

from docstead.content.navigation import NavNode, NodeKind
from docstead.content.pages import PageMeta, Site
from docstead.search.ranking import Preference

_LONGEST = 120  # characters of such a question
_MOST_TRIED = 8  # pages whose text is read
_MOST_FOUND = 5  # pages, one of which has the first steps to something
_MOST_OF_PARTS = 3  # of these, if they are the first steps of a part of the site
_FIRST_PAGES = 3  # of the navigation, one of which introduces the site
_SHALLOW = 1  # folders around other first steps of the whole site
_EARLY_PAGES = 20  # of the navigation, among which first steps of the whole site are


class PageRole(Enum):
    """Purpose of a page."""

    INTRODUCTION = auto()
    FIRST_STEPS = auto()
    FIRST_RESULT = auto()  # first steps to something: "create my first survey"
    PRICES = auto()
    CHANGES = auto()
    CONTACT = auto()


_WHO = "(?:i|we|you|one)"
_HOW = f"how (?:(?:do|can|should) {_WHO}|to)"
_MAKE = "(?:add|build|create|deploy|do|get|launch|make|publish|run|send|set up|start|try|write)"
#: Forms of questions; {} is the name of the product or of a part. "What is" fits most names.
_FORMS = {
    PageRole.FIRST_STEPS: (
        f"(?:{_HOW} )?get(?:ting)? started(?: (?:with|using|on) {{}})?",
        f"{_HOW} (?:start|begin)(?: (?:building|developing))?(?: (?:with|using|on) {{}})?",
        f"where (?:(?:do|can|should) {_WHO}|to) (?:start|begin|get started)(?: with {{}})?",
        "(?:{} )?quick ?start(?: guide)?(?: (?:for|with) {})?",
        "(?:what are the |my )?first steps?(?: (?:with|in) {})?",
    ),
    PageRole.FIRST_RESULT: (
        f"(?:{_HOW} )?(?:install (?:it|{{}}) and )?{_MAKE} (?:(?:my|our|your|an?) )?first {{}}",
    ),
    PageRole.PRICES: (
        "(?:how much (?:does|do) {} cost|what (?:does|do) {} cost)",
        "how much is {}",
        "(?:what (?:are|is) the )?(?:pricing|prices?|plans?|costs?)(?: (?:of|for) {})?",
        "{} pricing",
    ),
    PageRole.CHANGES: (
        "(?:what is|whats) new(?: in {})?",
        "(?:{} )?(?:change ?logs?|release notes)",
        "(?:what are the )?(?:latest|recent|newest) (?:changes|updates|releases?|version|features)"
        "(?: (?:of|in|to) {})?",
    ),
    PageRole.CONTACT: (
        f"(?:{_HOW} )?(?:contact|reach|talk to|get in touch with)"
        "(?: (?:the )?(?:{} )?(?:support|team|support team|you|us))?",
        f"(?:how|where) (?:(?:do|can) {_WHO}|to) get (?:help|support)(?: (?:with|for) {{}})?",
        "customer support",
    ),
    PageRole.INTRODUCTION: (
        "(?:so )?(?:what (?:exactly )?(?:is|are)|whats) {}(?: (?:all )?about| (?:used )?for)?",
        "what (?:does|do|can) {} do(?: for (?:me|us))?",
        f"what (?:can|could|should) {_WHO} (?:do|use|build)(?: with)? {{}}(?: for)?",
        f"why (?:should {_WHO} )?(?:use )?{{}}",
        "who (?:is|should use|uses) {}(?: for)?",
        "(?:tell me about|explain|about|introduction(?: to)?|overview(?: of)?) {}",
        "introduction",
        "overview",
    ),
}
_NAMES = {
    PageRole.INTRODUCTION: ("(?:what is|intro(?:duction)?|welcome|overview|about|why|home)\\b.*",),
    PageRole.FIRST_STEPS: (
        "(?:quick ?start|first steps?)\\b.*",
        "get(?:ting)? started\\b.*",
    ),
    PageRole.PRICES: (
        "(?:.* )?(?:pricing|prices|plans)(?: .*)?",
        "(?:.* )?(?:billing|fees)(?: .*)?",
    ),
    PageRole.CHANGES: ("(?:.* )?(?:change ?logs?|release notes|whats new|what is new)",),
    PageRole.CONTACT: (
        "contact(?: us| support)?",
        "(?:get |getting |customer )?support(?: and .*)?|get(?:ting)? help|help (?:and )?support",
    ),
}
_NAMES[PageRole.FIRST_RESULT] = ("(?:.* )?(?:your|my|a) first .*", *_NAMES[PageRole.FIRST_STEPS])
_BY_FOLDER = (PageRole.FIRST_STEPS, PageRole.CHANGES)  # a folder may have the name instead
_NAME = r"(?P<name>[\w+#. ]{1,60}?)"
_ITSELF = re.compile(
    r"(?:it|this|(?:this|the) (?:product|project|tool|site|platform|app))(?: all)?"
)
_ARTICLE = re.compile(r"(?:an?|the) ")
# Words of a site's name that are not the product's.
_NOT_THE_NAME_TEXT = """
center dev developer developers doc docs documentation guide help hub manual the
"""
_NOT_THE_NAME = frozenset(_NOT_THE_NAME_TEXT.split())
_WORD = re.compile(r"[\w+#.]+")
_SAYS = re.compile(
    r"(?:an?|the|is|are|lets|helps|provides|gives|allows|enables|makes|offers|brings|combines)\b"
)


def _compiled(forms: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    # A form may have the name more than once, of which one matches.
    texts = (form.split("{}") for form in forms)
    names = (
        [part + _NAME.replace("name", f"name{n}") for n, part in enumerate(t[:-1])] for t in texts
    )
    ends = [form.split("{}")[-1] for form in forms]
    return tuple(re.compile("".join(n) + end) for n, end in zip(names, ends, strict=True))


_ASKED = {role: _compiled(forms) for role, forms in _FORMS.items()}
_NAMED = {role: tuple(map(re.compile, names)) for role, names in _NAMES.items()}


@dataclass(frozen=True, slots=True)
class AskedRole:
    """A role of a page, of the whole site or of the part with this name."""

    role: PageRole
    part: str = ""


class RolePages:
    """Finds the page with a role. `opening` returns the prose at the start of a page."""

    def __init__(self, site: Site, opening: Callable[[str], str]) -> None:
        self._site = site
        self._opening = opening
        words = _words(site.config.name)
        self._product = " ".join(word for word in words if word not in _NOT_THE_NAME)

    def asked(self, question: str, *, first: bool) -> AskedRole | None:
        """Return the role of the page that a question asks for.

        "It" is the product only in the `first` question of a conversation.
        """
        if len(question) > _LONGEST:
            return None
        text = " ".join(_words(question))
        if self._is_product(text):
            return AskedRole(PageRole.INTRODUCTION)
        for role, forms in _ASKED.items():
            for form in forms:
                if found := form.fullmatch(text):
                    name = next(filter(None, found.groups()), "")
                    return self._role_of(role, name, first=first)
        return None

    def page(self, asked: AskedRole, prefer: Preference, found: Iterable[str] = ()) -> str | None:
        """Return the slug of the page, or None if there is none.

        First steps to something are on one of the first pages that search `found`.
        """
        slugs = list(self._slugs(asked.part, prefer))
        if asked.role is PageRole.FIRST_RESULT:
            return self._first_result(
                slugs, prefer, list(islice(dict.fromkeys(found), _MOST_FOUND))
            )
        if asked.role is not PageRole.INTRODUCTION:
            is_first = asked.role is PageRole.FIRST_STEPS and not asked.part
            early = frozenset(slugs[:_EARLY_PAGES])
            among = [s for s in slugs if not is_first or s.count("/") <= _SHALLOW or s in early]
            page = next(filter(self._opening, self._of_role(asked.role, among)), None)
            if page or asked.role is not PageRole.FIRST_STEPS:
                return page
        return self._introduction(slugs, asked.part)

    def _first_result(self, slugs: list[str], prefer: Preference, found: list[str]) -> str | None:
        """Return the best page if it has first steps, else the site's own, else those of a part."""
        whole = self.page(AskedRole(PageRole.FIRST_STEPS), prefer)
        known = frozenset(self._of_role(PageRole.FIRST_RESULT, slugs))
        ranked = (*found[:1], *(slug for slug in found if slug == whole), *found[:_MOST_OF_PARTS])
        return next(filter(self._opening, (slug for slug in ranked if slug in known)), None)

    def _role_of(self, role: PageRole, name: str, *, first: bool) -> AskedRole | None:
        if _ITSELF.fullmatch(name):
            return AskedRole(role) if first else None
        part = _ARTICLE.sub("", name, count=1)
        if role is PageRole.FIRST_RESULT or not name or self._is_product(part):
            return AskedRole(role)
        is_of_parts = role in (PageRole.INTRODUCTION, PageRole.FIRST_STEPS)
        return AskedRole(role, part) if is_of_parts else None

    def _is_product(self, name: str) -> bool:
        return bool(name) and name in (self._product, self._product.replace(" ", ""))

    def _slugs(self, part: str, prefer: Preference) -> Iterator[str]:
        """Yield the pages of the site or of a part in reading order."""
        navigation = self._site.navigation
        if not part and "index" in self._site.pages:
            yield "index"
        listed = self._below(part) if part else navigation.pages()
        unlisted = (slug for slug in self._site.pages if "/" not in slug and not part)
        for slug in dict.fromkeys((*listed, *unlisted)):
            meta = self._site.pages.get(slug)
            if meta and meta.method is None and not is_other(meta, prefer):
                yield slug

    def _below(self, part: str) -> Iterator[str]:
        nodes = (_node(root, part) for root in self._site.navigation.roots)
        node = next(filter(None, nodes), None)
        return node.pages() if node else iter(())

    def _introduction(self, slugs: list[str], part: str) -> str | None:
        """Return the first page that says in its name that it introduces, and does, or None."""
        named = list(self._of_role(PageRole.INTRODUCTION, slugs))
        named.sort(key=lambda slug: self._names(slug)[0] != f"what is {part or self._product}")
        # The title, because "customize/overview" is an overview of customization.
        whole = (s for s in named if part or "/" not in s or self._has_title(s))
        for slug in islice(whole, _MOST_TRIED):
            text = self._opening(slug)
            if text and (slug in slugs[:_FIRST_PAGES] or "/" not in slug or self._is_about(text)):
                return slug
        return next((slug for slug in slugs[:1] if self._is_about(self._opening(slug))), None)

    def _has_title(self, slug: str) -> bool:
        title, _ = self._names(slug)
        return any(form.fullmatch(title) for form in _NAMED[PageRole.INTRODUCTION])

    def _of_role(self, role: PageRole, slugs: Iterable[str]) -> Iterator[str]:
        slugs = list(slugs)
        for form in _NAMED[role]:
            yield from (slug for slug in slugs if any(map(form.fullmatch, self._names(slug))))
        if role in _BY_FOLDER:
            for form in _NAMED[role]:
                yield from (slug for slug in slugs if any(map(form.fullmatch, _folders(slug))))

    def _names(self, slug: str) -> tuple[str, str]:
        title = " ".join(_words(self._site.pages[slug].title))
        return title, " ".join(_words(slug.rpartition("/")[2]))

    def _is_about(self, text: str) -> bool:
        """Report whether a text says what the product is or does."""
        parts = " ".join(_words(text)).split(self._product) if self._product else []
        return any(_SAYS.match(part.lstrip()) for part in parts[1:])


def _folders(slug: str) -> list[str]:
    return [" ".join(_words(each)) for each in slug.split("/")[:-1]]


def _node(node: NavNode, part: str) -> NavNode | None:
    """Return the first division or group with this name, at or below a node."""
    if node.kind is NodeKind.PAGE:
        return None
    if " ".join(_words(node.label)) == part:
        return node
    return next(filter(None, (_node(child, part) for child in node.children)), None)


def is_other(meta: PageMeta, prefer: Preference) -> bool:
    """Report whether a page is of another language or version than the preferred one."""
    pairs = ((meta.language, prefer.language), (meta.version, prefer.version))
    return any(one and other and one != other for one, other in pairs)


def _words(text: str) -> list[str]:
    """Return the words in lower case, "what's" as "whats"."""
    plain = re.sub(r"['’](?=s\b)", "", text.lower()).replace("-", " ").replace("_", " ")
    return [word for each in _WORD.findall(plain) if (word := each.strip("."))]
