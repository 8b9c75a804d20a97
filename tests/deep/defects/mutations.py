"""All small defects of a module: one change of its syntax tree each."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Display = ast.List | ast.Tuple | ast.Set | ast.Dict


@dataclass(frozen=True)
class Defect:
    """A change of a module. `name` says what is changed and where, without line numbers."""

    name: str
    line: int
    module: ast.Module
    number: int  # of the node
    kind: str

    @property
    def tree(self) -> ast.Module:
        """The changed module."""
        changed = copy.deepcopy(self.module)
        node, _ = list(_nodes(changed))[self.number]
        _apply(node, self.kind)
        return ast.fix_missing_locations(changed)


def defects_of(source: str) -> Iterator[Defect]:
    """Yield every defect of a module, in the order of its lines."""
    module = ast.parse(source)
    seen: Counter[str] = Counter()
    for number, (node, scope) in enumerate(_nodes(module)):
        for kind in _kinds(node):
            text = f"{scope}: {kind}: {_text(node)}"
            seen[text] += 1
            name = text if seen[text] == 1 else f"{text} #{seen[text]}"
            yield Defect(name, getattr(node, "lineno", 0), module, number, kind)


def _nodes(module: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield the nodes that are evaluated, each with the names around it."""
    yield from _below(module, "module")


def _below(node: ast.AST, scope: str) -> Iterator[tuple[ast.AST, str]]:
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "type_params"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_docstring(child) or _is_for_types(child):
                continue
            inner = scope
            if isinstance(child, _Function | ast.ClassDef):
                inner = child.name if scope == "module" else f"{scope}.{child.name}"
            yield child, inner
            yield from _below(child, inner)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_for_types(node: ast.AST) -> bool:
    is_check = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    return is_check or isinstance(node, ast.Import | ast.ImportFrom)


def _kinds(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPPED:
        yield "swap the comparison"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "drop the not"
    if isinstance(node, ast.BoolOp):
        yield "swap and, or"
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield "change the constant"
    if isinstance(node, ast.If | ast.IfExp) and not isinstance(node.test, ast.Compare):
        yield "invert the condition"
    if isinstance(node, _Function) and not _is_trivial(node):
        yield "return early"
    if isinstance(node, _Display) and len(_elements(node)) > 1 and _is_read(node):
        yield "drop an element"


def _is_trivial(node: _Function) -> bool:
    """Report whether a function has only a docstring, `...` or `return None`."""
    body = [each for each in node.body if not _is_docstring(each)]
    return all(isinstance(each, ast.Pass) for each in body)


def _is_read(node: _Display) -> bool:
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def _elements(node: _Display) -> list[ast.expr]:
    return node.values if isinstance(node, ast.Dict) else node.elts


def _apply(node: ast.AST, kind: str) -> None:
    match node:
        case ast.Compare():
            node.ops[0] = _SWAPPED[type(node.ops[0])]()
        case ast.UnaryOp():  # two of them are a bool
            node.operand = ast.UnaryOp(ast.Not(), node.operand)
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.Constant():
            node.value = not node.value if isinstance(node.value, bool) else node.value + 1
        case ast.If() | ast.IfExp():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            node.body.insert(0, _early_end(node))
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            del _elements(node)[-1]
            if isinstance(node, ast.Dict):
                del node.keys[-1]


def _early_end(node: _Function) -> ast.stmt:
    """Return nothing: a generator stays one, a context manager enters."""
    is_generator = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))
    is_managed = any("contextmanager" in ast.unparse(each) for each in node.decorator_list)
    if is_generator and is_managed:
        return ast.parse("if True:\n    yield None\n    return").body[0]
    return ast.Return(None)


def _text(node: ast.AST) -> str:
    if isinstance(node, _Function):
        return "first line"
    if isinstance(node, ast.If | ast.IfExp):
        node = node.test
    return " ".join(ast.unparse(node).split())[:80]
