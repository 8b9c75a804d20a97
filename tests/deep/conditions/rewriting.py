"""Marks each condition of each query in a module's syntax tree.

A marked condition calls `conditions.runtime`, which notes that it was reached and, where it is
the one to drop, makes it true. Whether an expression is a condition is decided at run time, by
its type: a comparison of two numbers passes through unchanged.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass, field

_CLAUSES = frozenset({"where", "filter", "having", "and_", "or_", "join", "outerjoin", "exists"})
_CLAUSE_KEYWORDS = frozenset({"where", "onclause", "sqlite_where", "postgresql_where"})
_CONDITION_METHODS = frozenset(
    {
        "in_",
        "notin_",
        "not_in",
        "is_",
        "is_not",
        "like",
        "ilike",
        "not_like",
        "not_ilike",
        "between",
        "exists",
    }
    | {"startswith", "endswith", "contains", "is_distinct_from", "regexp_match"}
)
_CONDITION_FUNCTIONS = frozenset({"and_", "or_", "not_", "exists"})
_SQL_CONDITIONS = re.compile(r"\b(?:WHERE|ON|AND)\s+(.+?)(?=\s+(?:AND|ORDER|GROUP|LIMIT)\b|$)")

_OF_PYTHON = (ast.Is, ast.IsNot, ast.In, ast.NotIn)  # never a condition of a query

MARK = "__docstead_condition__"
MARK_EACH = "__docstead_conditions__"
MARK_SQL = "__docstead_sql__"
MARK_ENTRY = "__docstead_entered__"


@dataclass
class Marker(ast.NodeTransformer):
    """Rewrites one module. `sites` maps the names of its conditions to their lines."""

    path: str
    sites: dict[str, int] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)  # of sequences of conditions, too
    at_import: set[str] = field(default_factory=set)
    _scopes: list[str] = field(default_factory=list)
    _functions: int = 0
    _seen: Counter[str] = field(default_factory=Counter)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._scope(node, is_function=False)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = _name(node.func)
        if name in _CLAUSES:
            node.func = self.visit(node.func)
            node.args = [self._argument(each, name) for each in node.args]
            node.keywords = [self._keyword(each) for each in node.keywords]
        else:
            self.generic_visit(node)
            node.keywords = [
                self._marked_keyword(each) if each.arg in _CLAUSE_KEYWORDS else each
                for each in node.keywords
            ]
        return self._mark(node) if _is_condition_call(node) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        visited = self.generic_visit(node)
        return visited if isinstance(node.ops[0], _OF_PYTHON) else self._mark(visited)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if not isinstance(node.op, ast.Invert):
            return self.generic_visit(node)
        if not isinstance(node.operand, ast.Compare):
            node.operand = _unmarked(self.visit(node.operand))
        return self._mark(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, str) or " WHERE " not in node.value:
            return node
        if not node.value.lstrip().startswith(("SELECT", "UPDATE", "DELETE", "INSERT")):
            return node
        site = self._site(node)
        for number, _ in enumerate(_SQL_CONDITIONS.finditer(node.value)):
            self.sites[f"{site}[{number}]"] = node.lineno
        del self.sites[site]
        return _call(MARK_SQL, site, node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self._scope(node, is_function=True)
        entry = ast.Expr(_call(MARK_ENTRY, self.path))
        docstring = ast.get_docstring(node, clean=False) is not None
        node.body.insert(1 if docstring else 0, entry)
        return node

    def _scope(self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
               *, is_function: bool) -> ast.AST:  # fmt: skip
        self._scopes.append(node.name)
        self._functions += is_function
        node.body = [self.visit(each) for each in node.body]
        self._functions -= is_function
        self._scopes.pop()
        return node

    def _argument(self, node: ast.expr, clause: str) -> ast.expr:
        if isinstance(node, ast.Starred):
            site = self._site(node)
            del self.sites[site]
            return ast.Starred(_call(MARK_EACH, site, self.visit(node.value), clause), node.ctx)
        visited = self.visit(node)
        return visited if _is_marked(visited) else self._mark(visited, clause)

    def _keyword(self, node: ast.keyword) -> ast.keyword:
        node.value = self.visit(node.value)
        return self._marked_keyword(node) if node.arg in _CLAUSE_KEYWORDS else node

    def _marked_keyword(self, node: ast.keyword) -> ast.keyword:
        if not _is_marked(node.value):
            node.value = self._mark(node.value)
        return node

    def _mark(self, node: ast.AST, clause: str = "") -> ast.Call:
        site = self._site(node)
        return _call(MARK, site, node, clause)

    def _site(self, node: ast.AST) -> str:
        scope = ".".join(self._scopes) or "<module>"
        name = f"{self.path}::{scope}::{_text(node)}"
        self._seen[name] += 1
        if self._seen[name] > 1:
            name = f"{name}#{self._seen[name]}"
        self.sites[name] = self.lines[name] = getattr(node, "lineno", 0)
        if not self._functions:
            self.at_import.add(name)
        return name


def mark(source: str, path: str) -> tuple[ast.Module, Marker]:
    """Rewrite a module's source; `path` names it in the sites."""
    tree = ast.parse(source)
    _note_alternatives(tree)
    marker = Marker(path)
    marked = ast.fix_missing_locations(marker.visit(tree))
    return marked, marker


def sql_without(text: str, number: int) -> str:
    """The statement with its condition of this number made true."""
    found = list(_SQL_CONDITIONS.finditer(text))[number]
    start, end = found.span(1)
    return f"{text[:start]}({text[start:end]} OR 1 = 1){text[end:]}"


def _note_alternatives(tree: ast.Module) -> None:
    """Elements of `or_` disappear by being false, not true."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) == "or_":
            for each in node.args:
                each.is_alternative = True  # type: ignore[attr-defined]


def _is_condition_call(node: ast.Call) -> bool:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr in _CONDITION_METHODS
    if not node.args:  # `exists()`, whose conditions follow
        return False
    return isinstance(node.func, ast.Name) and node.func.id in _CONDITION_FUNCTIONS


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _call(name: str, site: str, node: ast.AST | None = None, clause: str = "") -> ast.Call:
    alternative = clause == "or_" or getattr(node, "is_alternative", False)
    arguments: list[ast.expr] = [ast.Constant(site)]
    if node is not None:
        arguments += [node, ast.Constant(alternative)]
    call = ast.Call(ast.Name(name, ast.Load()), arguments, [])
    return ast.copy_location(call, node) if node is not None else call


def _is_marked(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in {MARK, MARK_EACH}


def _unmarked(node: ast.AST) -> ast.expr:
    return node.args[1] if _is_marked(node) else node  # type: ignore[attr-defined]


def _text(node: ast.AST) -> str:
    """The source of a node, without the marks within it."""

    class Plain(ast.NodeTransformer):
        def visit_Call(self, call: ast.Call) -> ast.AST:
            self.generic_visit(call)
            if _name(call.func) in {MARK, MARK_EACH, MARK_SQL}:
                return call.args[1]
            return call

    copied = ast.parse(ast.unparse(node).removeprefix("*"), mode="eval")
    return " ".join(ast.unparse(Plain().visit(copied)).split())
