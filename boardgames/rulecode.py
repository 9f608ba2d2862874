"""Rule functions: written once as plain Python, then copied, rebound, compiled and fingerprinted.

A rule function stands at the top level of a file and calls other rule functions by name. Where it is written it stays plain: it
can be stepped through in a debugger. `rebind` makes copies that call each other instead of the originals. Everything that needs
"the same rules, but ..." uses it: the engine's loop, whose placeholders become a game's own functions; `derive`; the compiler.
"""

import ast
import functools
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

import numpy as np

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)


class NotARule(TypeError):
    """A function that cannot be copied, compiled or fingerprinted as a rule."""


def rule(function: F) -> F:
    """Mark a function as a rule. The text of its file is kept as it is now, for the fingerprint."""
    if getattr(function, "__closure__", None):
        raise NotARule(
            f"{function.__qualname__} is defined inside another function: rule functions stand at the top level of a file"
        )
    path = function.__code__.co_filename
    try:
        function.__rule__ = _text(path, os.stat(path).st_mtime_ns)  # type: ignore[attr-defined]
    except OSError:
        raise NotARule(f"{function.__qualname__} has no source file ({path}): rule functions are written in a file") from None
    return function


def is_rule(value: object) -> bool:
    return isinstance(value, FunctionType) and hasattr(value, "__rule__")


@functools.lru_cache(maxsize=256)
def _text(path: str, changed: int) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


# ---- what a rule function reaches


def names(code: CodeType) -> set[str]:
    """Every global and attribute name that the code mentions, inner functions included."""
    inner = (names(const) for const in code.co_consts if isinstance(const, CodeType))
    return set(code.co_names).union(*inner)


def mentioned(function: Function) -> dict[str, Any]:
    """The globals that a function mentions. A constant of another module is listed as module.name."""
    space = function.__globals__
    found: dict[str, Any] = {}
    used = sorted(names(function.__code__))
    for name in used:
        value = space.get(name, _MISSING)
        if isinstance(value, ModuleType):
            found |= {f"{name}.{part}": getattr(value, part) for part in used if _own(value, part)}
        elif value is not _MISSING:
            found[name] = value
    return found


_MISSING = object()


def _own(module: ModuleType, name: str) -> bool:
    """Whether a module's attribute can be part of the rules: not NumPy's or the standard library's functions."""
    value = getattr(module, name, _MISSING)
    return is_rule(value) or isinstance(value, (int, float, str, tuple, np.ndarray, np.generic))


def callees(function: Function) -> list[Function]:
    return [value for value in mentioned(function).values() if is_rule(value)]


def reached(roots: Iterable[Function]) -> list[Function]:
    """The roots and every rule function they lead to, each once."""
    found: dict[Function, None] = {}
    waiting = list(roots)
    while waiting:
        function = waiting.pop()
        if function not in found:
            found[function] = None
            waiting += callees(function)
    return list(found)


# ---- what a rule function is


def digest(roots: Iterable[Function]) -> str:
    """A fingerprint of what runs when these functions run: their syntax and the constants they read, all the way down."""
    parts = sorted(content(function) for function in reached(roots))
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


@functools.lru_cache(maxsize=4096)
def content(function: Function) -> str:
    """One function's syntax without comments, docstring and annotations, and the value of each constant it mentions."""
    constants = [f"{name} = {_value(name, value)}" for name, value in mentioned(function).items() if not _is_code(value)]
    calls = [f"{name} -> {_place(value)}" for name, value in mentioned(function).items() if is_rule(value)]
    return "\n".join([_place(function), _syntax(function), *constants, *calls])


def _place(function: Function) -> str:
    """File and function name: the same however the file was imported, and on every machine."""
    return f"{os.path.splitext(os.path.basename(function.__code__.co_filename))[0]}.{function.__code__.co_name}"


def _is_code(value: object) -> bool:
    return callable(value) or isinstance(value, ModuleType)


def _value(name: str, value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str}{value.shape}{np.ascontiguousarray(value).tobytes().hex()}"
    if isinstance(value, tuple):
        return f"({','.join(_value(name, part) for part in value)})"
    if isinstance(value, (bool, int, float, str, np.generic, np.dtype)):
        return repr(value)
    raise NotARule(f"a rule mentions {name}, a {type(value).__name__}: rules read numbers, strings, tuples and NumPy arrays only")


def _syntax(function: Function) -> str:
    code = function.__code__
    try:
        return _definitions(function.__rule__)[code.co_name, code.co_firstlineno]  # type: ignore[attr-defined]
    except KeyError:
        raise NotARule(
            f"{code.co_filename} changed while it was loaded: {code.co_name} is not at line {code.co_firstlineno}"
        ) from None


@functools.lru_cache(maxsize=256)
def _definitions(text: str) -> dict[tuple[str, int], str]:
    """The canonical syntax of each function in a file, by name and first line."""
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            found[node.name, first] = f"{_canonical(node.args)}{_canonical(body)}"
    return found


def _canonical(node: Any) -> str:
    """A syntax tree as text that is the same in every Python version: empty fields, contexts and annotations left out."""
    if isinstance(node, list):
        return f"[{','.join(map(_canonical, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    left_out = {"ctx", "annotation", "kind", "type_comment", "type_params", "returns"}
    fields = [(name, value) for name, value in ast.iter_fields(node) if name not in left_out and value not in (None, [])]
    return f"{type(node).__name__}({','.join(f'{name}={_canonical(value)}' for name, value in fields)})"


# ---- copies that call each other


def rebind(
    roots: Iterable[Function],
    replace: Mapping[Function, Function] | None = None,
    finish: Callable[[Function, Function], Any] = lambda copy, original: copy,
) -> dict[Function, Any]:
    """Copies of the roots and of all they reach, with some functions put in the place of others: {original: copy}.

    A function that replaces another may call the one it replaced: there, and only there, that name still means the old one.
    `finish(copy, original)` turns each copy into what the others call, for instance a compiled function.
    """
    copier = _Copier(dict(replace or {}), finish)
    return {root: copier.stand_in(root) for root in roots}


class _Copier:
    """The state of one rebind: the copies made so far and the namespaces they live in."""

    def __init__(self, replace: dict[Function, Function], finish: Callable[[Function, Function], Any]) -> None:
        self.replace, self.finish = replace, finish
        self.copies: dict[tuple[Function, Function | None], Any] = {}
        self.spaces: dict[tuple[int, Function | None], dict[str, Any]] = {}

    def stand_in(self, original: Function) -> Any:
        if original in self.replace:
            return self.copy(self.replace[original], instead_of=original)
        return self.copy(original, instead_of=None)

    def copy(self, function: Function, instead_of: Function | None) -> Any:
        if (function, instead_of) not in self.copies:
            space = self.spaces.setdefault((id(function.__globals__), instead_of), dict(function.__globals__))
            copy = FunctionType(function.__code__, space, function.__name__, function.__defaults__)
            copy.__module__, copy.__qualname__, copy.__doc__ = function.__module__, function.__qualname__, function.__doc__
            copy.__kwdefaults__ = function.__kwdefaults__
            copy.__rule__ = function.__rule__  # type: ignore[attr-defined]
            self.copies[function, instead_of] = self.finish(copy, function)  # before its callees: rules may be recursive
            self.fill(space, function, instead_of)
        return self.copies[function, instead_of]

    def fill(self, space: dict[str, Any], function: Function, instead_of: Function | None) -> None:
        """Point the names that the function uses at copies, in modules it reaches through as well."""
        used = names(function.__code__)
        for name in used:
            value: Any = function.__globals__.get(name)
            if is_rule(value):
                space[name] = self.seen_from(value, instead_of)
            elif isinstance(value, ModuleType) and any(is_rule(getattr(value, part, None)) for part in used):
                parts = {part: getattr(value, part) for part in used if hasattr(value, part)}
                stand_in = ModuleType(value.__name__)
                stand_in.__dict__.update({part: self.seen_from(v, instead_of) if is_rule(v) else v for part, v in parts.items()})
                space[name] = _merged(space[name], stand_in, value)

    def seen_from(self, value: Function, instead_of: Function | None) -> Any:
        return self.copy(value, instead_of=None) if value is instead_of else self.stand_in(value)


def _merged(present: ModuleType, stand_in: ModuleType, original: ModuleType) -> ModuleType:
    """One stand-in serves every function of a namespace: later ones add the names they use."""
    if present is not original:
        stand_in.__dict__.update({**present.__dict__, **stand_in.__dict__})
    return stand_in
