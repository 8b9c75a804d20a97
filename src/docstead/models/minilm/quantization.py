"""Conversion of the sentence model to 8-bit products.

Its weights are stored as 8-bit numbers, but converted to 32 bits before multiplication. Here
activations are quantized to 8 bits per row instead: less than half the time, a quarter of the
memory, and vectors that differ by an angle of three degrees.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from docstead.models.minilm.protobuf import (
    ProtobufField,
    content,
    message,
    number,
    read,
    text,
    write,
)

# Field numbers in onnx.proto.
_GRAPH, _NODE, _INITIALIZER = 7, 1, 5
_INPUT, _OUTPUT, _OPERATOR, _ATTRIBUTE = 1, 2, 4, 5
_ATTRIBUTE_NAME, _ATTRIBUTE_INT, _ATTRIBUTE_INTS, _ATTRIBUTE_KIND = 1, 3, 8, 20
_INT, _INTS = 2, 7
_TENSOR_KIND, _TENSOR_NAME, _TENSOR_BYTES = 2, 8, 9
_FLOAT, _UINT8, _INT8 = 1, 2, 3
_LAST_AXIS = (1 << 64) - 1  # -1 as a varint

_LEAST, _MOST, _ONE, _MIDDLE = "row_least", "row_most", "row_one", "row_middle"


@dataclass(frozen=True, slots=True)
class _OnnxNode:
    """An operation with its original field."""

    field: ProtobufField
    operator: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _QuantizedWeights:
    """8-bit weights with their scales."""

    table: str
    scales: str


def with_integer_products(model: bytes) -> bytes:
    """Return the model with integer products for all 8-bit weights."""
    return write(
        content(_GRAPH, _rewritten(each.value)) if each.number == _GRAPH else each
        for each in read(model)
    )


def _rewritten(graph: bytes) -> bytes:
    fields = list(read(graph))
    nodes = [_node(each) for each in fields if each.number == _NODE]
    stored = {_name_of(each): each for each in fields if each.number == _INITIALIZER}
    weights = _weights(nodes, stored)
    in_bytes: set[str] = set()
    made = list(chain.from_iterable(_replaced(each, weights, in_bytes) for each in nodes))
    requested = {name for node in map(_node, made) for name in node.inputs}
    others = [each for each in fields if each.number != _NODE]
    return write([*made, *_constants(), *(e for e in others if _is_requested(e, requested))])


def _weights(
    nodes: list[_OnnxNode], stored: dict[str, ProtobufField]
) -> dict[str, _QuantizedWeights]:
    """Return the 8-bit weights by the name of their output."""
    casts = {
        node.outputs[0]: node.inputs[0]
        for node in nodes
        if node.operator == "Cast" and _kind_of(stored.get(node.inputs[0])) == _INT8
    }
    return {
        node.outputs[0]: _QuantizedWeights(casts[node.inputs[0]], node.inputs[1])
        for node in nodes
        if node.operator == "Mul" and node.inputs[0] in casts and node.inputs[1] in stored
    }


def _replaced(
    node: _OnnxNode, weights: dict[str, _QuantizedWeights], in_bytes: set[str]
) -> Iterator[ProtobufField]:
    """Yield the replacement of an operation. `in_bytes` are already quantized inputs."""
    if node.operator == "MatMul" and node.inputs[1] in weights:
        if node.inputs[0] not in in_bytes:
            in_bytes.add(node.inputs[0])
            yield from _brought_to_bytes(node.inputs[0])
        yield from _product(node, weights[node.inputs[1]])
    elif node.operator == "Gather" and node.inputs[0] in weights:
        yield from _picked(node, weights[node.inputs[0]])
    else:
        yield node.field


def _brought_to_bytes(name: str) -> Iterator[ProtobufField]:
    """Yield the quantization of each row by its maximum, as bytes around 128."""
    yield _operation("Abs", (name,), f"{name}_sizes")
    yield _operation("ReduceMax", (f"{name}_sizes",), f"{name}_largest", axes=_LAST_AXIS)
    yield _operation("Max", (f"{name}_largest", _LEAST), f"{name}_reach")
    yield _operation("Div", (_MOST, f"{name}_reach"), f"{name}_scale")
    yield _operation("Mul", (name, f"{name}_scale"), f"{name}_scaled")
    yield _operation("QuantizeLinear", (f"{name}_scaled", _ONE, _MIDDLE), f"{name}_bytes")


def _product(node: _OnnxNode, weights: _QuantizedWeights) -> Iterator[ProtobufField]:
    (left, _), out = node.inputs, node.outputs[0]
    product = (f"{left}_bytes", weights.table, _MIDDLE)
    yield _operation("MatMulInteger", product, f"{out}_whole")
    yield _operation("Cast", (f"{out}_whole",), f"{out}_float", to=_FLOAT)
    yield _operation("Div", (f"{out}_float", f"{left}_scale"), f"{out}_rows")
    yield _operation("Mul", (f"{out}_rows", weights.scales), out)


def _picked(node: _OnnxNode, weights: _QuantizedWeights) -> Iterator[ProtobufField]:
    """Yield the lookup of table rows, of which only those are converted to 32 bits."""
    rows, out = node.inputs[1], node.outputs[0]
    yield _operation("Gather", (weights.table, rows), f"{out}_whole", axis=0)
    yield _operation("Gather", (weights.scales, rows), f"{out}_scale", axis=0)
    yield _operation("Cast", (f"{out}_whole",), f"{out}_float", to=_FLOAT)
    yield _operation("Mul", (f"{out}_float", f"{out}_scale"), out)


def _constants() -> Iterator[ProtobufField]:
    for name, value in {_LEAST: 1e-9, _MOST: 127.0, _ONE: 1.0}.items():
        yield _constant(name, _FLOAT, struct.pack("<f", value))
    yield _constant(_MIDDLE, _UINT8, bytes([128]))


# --- fields of the file ---------------------------------------------------------


def _operation(
    operator: str, inputs: tuple[str, ...], output: str, **attributes: int
) -> ProtobufField:
    return message(
        _NODE,
        [
            *(text(_INPUT, each) for each in inputs),
            text(_OUTPUT, output),
            text(_OPERATOR, operator),
            *(_attribute(name, value) for name, value in attributes.items()),
        ],
    )


def _attribute(name: str, value: int) -> ProtobufField:
    """Return an attribute: `axes` is a list with one number, others are numbers."""
    field, kind = (_ATTRIBUTE_INTS, _INTS) if name == "axes" else (_ATTRIBUTE_INT, _INT)
    fields = [text(_ATTRIBUTE_NAME, name), number(field, value), number(_ATTRIBUTE_KIND, kind)]
    return message(_ATTRIBUTE, fields)


def _constant(name: str, kind: int, value: bytes) -> ProtobufField:
    fields = [number(_TENSOR_KIND, kind), text(_TENSOR_NAME, name), content(_TENSOR_BYTES, value)]
    return message(_INITIALIZER, fields)


def _node(field: ProtobufField) -> _OnnxNode:
    fields = list(read(field.value))
    named = {
        number: tuple(each.value.decode() for each in fields if each.number == number)
        for number in (_INPUT, _OUTPUT, _OPERATOR)
    }
    return _OnnxNode(field, named[_OPERATOR][0], named[_INPUT], named[_OUTPUT])


def _name_of(tensor: ProtobufField) -> str:
    return next(each.value.decode() for each in read(tensor.value) if each.number == _TENSOR_NAME)


def _kind_of(tensor: ProtobufField | None) -> int | None:
    if tensor is None:
        return None
    return next(each.value[0] for each in read(tensor.value) if each.number == _TENSOR_KIND)


def _is_requested(field: ProtobufField, requested: set[str]) -> bool:
    return field.number != _INITIALIZER or _name_of(field) in requested
