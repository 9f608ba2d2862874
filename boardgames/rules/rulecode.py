"""Rule functions: written once as plain Python, then copied, rebound, compiled and fingerprinted.

A rule function stands at the top level of a file and calls other rule functions by name. Where it is written it stays plain: it
can be stepped through in a debugger. `rebind` makes copies that call each other instead of the originals. Everything that needs
"the same rules, but ..." uses it: the engine's loop, whose placeholders become a game's own functions; `derive`; the compiler.
"""

import ast
import builtins
import dis
import functools
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from boardgames.errors import BadInput

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)


class NotARule(BadInput):
    """A function that cannot be copied, compiled or fingerprinted as a rule."""


def rule(function: F) -> F:
    """Mark a function as a rule. The text of its file is kept as it is now, for the fingerprint."""
    if getattr(function, "__closure__", None):
        raise NotARule(f"{function.__qualname__} is defined inside another function: rules stand at the top level of a file")
    path = function.__code__.co_filename
    try:
        function.__rule__ = _text(path, os.stat(path).st_mtime_ns)  # type: ignore[attr-defined]
    except OSError:
        raise NotARule(f"{function.__qualname__} has no source file ({path}): rule functions are written in a file") from None
    return function


PLATFORM = Path(__file__).parent.parent


def is_platform_file(path: str) -> bool:
    """Whether code of this file is the platform's own, not a game's."""
    return Path(path).is_relative_to(PLATFORM)


def is_rule(value: object) -> bool:
    return isinstance(value, FunctionType) and hasattr(value, "__rule__")


@functools.lru_cache(maxsize=256)
def _text(path: str, changed: int) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


# ---- what a rule function reaches


@functools.cache
def chains(code: CodeType) -> tuple[tuple[str, ...], ...]:
    """Every global that the code mentions, with the attributes read from it: `chance.draw(...)` is ("chance", "draw")."""
    found: set[tuple[str, ...]] = set()
    chain: tuple[str, ...] = ()
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_ATTR", "LOAD_METHOD") and chain:
            chain += (step.argval,)
        elif step.opname not in ("CACHE", "PRECALL", "PUSH_NULL"):
            found.add(chain)
            chain = (step.argval,) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") else ()
    inner = [chains(const) for const in code.co_consts if isinstance(const, CodeType)]
    return tuple(sorted((found | {chain}).union(*inner) - {()}))


def mentioned(function: Function) -> dict[str, Any]:
    """What a function mentions, by the dotted name it uses: followed through modules and enumerations."""
    found: dict[str, Any] = {}
    for first, *rest in chains(function.__code__):
        name, value = first, function.__globals__.get(first, _MISSING)
        for attribute in rest:
            if isinstance(value, ModuleType) or (isinstance(value, type) and issubclass(value, Enum)):
                name, value = f"{name}.{attribute}", getattr(value, attribute, _MISSING)
        if value is not _MISSING:
            found[name] = value
    return found


_MISSING = object()
KINDS = "rules are made of numbers, tuples and NumPy arrays"
REFUSED: dict[type[ast.AST], str] = {
    ast.Dict: "a dictionary", ast.DictComp: "a dictionary", ast.Set: "a set", ast.SetComp: "a set",
    ast.List: "a list", ast.ListComp: "a list", ast.GeneratorExp: "a generator", ast.Yield: "yield", ast.YieldFrom: "yield",
    ast.JoinedStr: "a string", ast.ClassDef: "a class", ast.Lambda: "a lambda", ast.FunctionDef: "a function inside it",
    ast.Try: "try", ast.With: "with", ast.Import: "import", ast.ImportFrom: "import", ast.Global: "global",
}  # fmt: skip
MAKERS = {"str": "a string", "repr": "a string", "dict": "a dictionary", "list": "a list", "set": "a set", "print": "print"}


def callees(function: Function) -> list[Function]:
    return [value for value in mentioned(function).values() if is_rule(value)]


def reached(roots: Iterable[Function], leave_out: Callable[[Function], bool] = lambda function: False) -> list[Function]:
    """The roots and every rule function they lead to, each once, in an order that depends only on the rules."""
    found: dict[Function, None] = {}
    waiting = list(roots)[::-1]
    while waiting:
        function = waiting.pop()
        if function not in found and not leave_out(function):
            found[function] = None
            waiting += callees(function)[::-1]
    return list(found)


def call_each_other(roots: Iterable[Function]) -> bool:
    """Whether two rules lead back to each other. A rule that calls itself does not count."""
    done: set[Function] = set()
    path: dict[Function, None] = {}

    def leads_back(function: Function) -> bool:
        path[function] = None
        others = [callee for callee in callees(function) if callee is not function and callee not in done]
        found = any(callee in path or leads_back(callee) for callee in others)
        del path[function]
        done.add(function)
        return found

    return any(leads_back(root) for root in roots if root not in done)


# ---- what a rule function is


def digest(roots: Iterable[Function]) -> str:
    """A fingerprint of what runs when these functions run: their syntax and the constants they read, all the way down."""
    return hashlib.blake2b(content(roots).encode(), digest_size=16).hexdigest()


def content(roots: Iterable[Function], leave_out: Callable[[Function], bool] = lambda function: False) -> str:
    """The whole text of some rules: each function with the places, in this text, of the functions it calls.

    Places, not names: two functions of one name in different files are not mistaken for each other.
    """
    functions = reached(roots, leave_out)
    places = {function: str(place) for place, function in enumerate(functions)}
    parts = []
    for function in functions:
        calls = {name: value for name, value in mentioned(function).items() if is_rule(value)}
        parts += [own_source(function), *(f"{name} -> {places.get(value, value.__name__)}" for name, value in calls.items())]
    return "\n".join(parts)


@functools.lru_cache(maxsize=4096)
def own_source(function: Function) -> str:
    """One function's syntax without comments, docstring and annotations, its defaults, and the constants it mentions."""
    syntax = _syntax(function)
    defaults: dict[str, Any] = {f"default {place}": value for place, value in enumerate(function.__defaults__ or ())}
    defaults |= {f"default {name}": value for name, value in (function.__kwdefaults__ or {}).items()}
    constants = defaults | mentioned(function)
    lines = [f"{name} = {_value(function, name, value)}" for name, value in constants.items() if not is_rule(value)]
    return "\n".join([syntax, *lines])


def _value(function: Function, name: str, value: Any) -> str:
    if isinstance(value, ModuleType) or _is_library(value):
        return ""
    if isinstance(value, Enum):
        return repr(value.value)
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str}{value.shape}{np.ascontiguousarray(value).tobytes().hex()}"
    if isinstance(value, tuple):
        return f"({','.join(_value(function, name, part) for part in value)})"
    if isinstance(value, (bool, int, float, np.generic, np.dtype)):
        return repr(value)
    where = f"the rule {function.__name__} ({function.__code__.co_filename})"
    if callable(value):
        raise NotARule(f"{where} uses {name}, which is not marked @rule")
    raise NotARule(f"{where} mentions {name}, a {type(value).__name__}: {KINDS}")


def _is_library(value: Any) -> bool:
    """Whether it is a function or type of Python or NumPy, which the versions in the lock speak for."""
    module = getattr(value, "__module__", None) or type(value).__module__
    return callable(value) and module.partition(".")[0] in ("builtins", "numpy", "math", "random")


def _syntax(function: Function) -> str:
    code = function.__code__
    try:
        written = _definitions(function.__rule__)[code.co_name, code.co_firstlineno]  # type: ignore[attr-defined]
    except KeyError:
        line = code.co_firstlineno
        raise NotARule(f"{code.co_filename} changed while it was loaded: {code.co_name} is not at line {line}") from None
    undefined = {first for first, *_ in chains(code) if first not in function.__globals__ and not hasattr(builtins, first)}
    nodes: Iterator[Any] = (node for part in written.body for node in ast.walk(part))
    for node in nodes:
        why = f"{node.id}, which is not defined" if isinstance(node, ast.Name) and node.id in undefined else _refused(node)
        if why:
            raise NotARule(f"the rule {code.co_name} ({code.co_filename}, line {node.lineno}) uses {why}")
    return f"{_canonical(written.args)}{_canonical(written.body)}"


class Definition(NamedTuple):
    """A function as it is written: its arguments, and its body without the docstring."""

    args: ast.arguments
    body: list[ast.stmt]


@functools.lru_cache(maxsize=256)
def _definitions(text: str) -> dict[tuple[str, int], Definition]:
    """The functions in a file, by name and first line."""
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            found[node.name, first] = Definition(node.args, body)
    return found


def _refused(node: Any) -> str:
    """What a rule may not use, in words: it would be slow, or mean something else, or nothing at all when compiled."""
    what = REFUSED.get(type(node), "")
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        what = "a string"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        what = MAKERS.get(node.func.id, "")
    return f"{what}: {KINDS}" if what else ""


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
    follow: Callable[[Any], bool] = is_rule,
    aliases: Mapping[Function, Function] | None = None,
) -> dict[Function, Any]:
    """Copies of the roots and of all they reach, with some functions put in the place of others: {original: copy}.

    A function that replaces another may call the one it replaced: there, and only there, that name still means the old one.
    `finish(copy, original)` turns each copy into what the others call, for instance a compiled function; `follow` says which
    functions are copied at all; `aliases` are functions that mean others, as an ancestor's rule means the present one.
    """
    copier = _Copier(dict(replace or {}), finish, follow, dict(aliases or {}))
    return {root: copier.stand_in(root) for root in roots}


class _Copier:
    """The state of one rebind: the copies made so far and the namespaces they live in."""

    def __init__(
        self,
        replace: dict[Function, Function],
        finish: Callable[..., Any],
        follow: Callable[[Any], bool],
        aliases: dict[Function, Function],
    ) -> None:
        self.replace, self.finish, self.follow, self.aliases = replace, finish, follow, aliases
        self.copies: dict[tuple[Function, Function | None], Any] = {}
        self.spaces: dict[tuple[int, Function | None], dict[str, Any]] = {}

    def stand_in(self, original: Function) -> Any:
        original = self.aliases.get(original, original)
        if original in self.replace:
            return self.copy(self.replace[original], instead_of=original)
        return self.copy(original, instead_of=None)

    def copy(self, function: Function, instead_of: Function | None, inner: bool = False) -> Any:
        """`inner` is a replaced function, which only the one that replaced it can still call."""
        if (function, instead_of) not in self.copies:
            space = self.spaces.setdefault((id(function.__globals__), instead_of), dict(function.__globals__))
            name = function.__name__ if instead_of is None else instead_of.__name__  # a rule keeps its name when it is replaced
            copy = FunctionType(function.__code__, space, name, function.__defaults__, function.__closure__)
            copy.__dict__.update(function.__dict__)
            means = instead_of or function
            copy.__stands_for__ = () if inner else (means, *getattr(means, "__stands_for__", ()))  # type: ignore[attr-defined]
            copy.__module__, copy.__qualname__, copy.__doc__ = function.__module__, function.__qualname__, function.__doc__
            copy.__kwdefaults__ = function.__kwdefaults__
            self.copies[function, instead_of] = self.finish(copy, function)  # before its callees: rules may be recursive
            self.fill(space, function, instead_of)
        return self.copies[function, instead_of]

    def fill(self, space: dict[str, Any], function: Function, instead_of: Function | None) -> None:
        """Point the names that the function uses at copies, through modules to any depth."""
        for first, *rest in chains(function.__code__):
            value = function.__globals__.get(first)
            if self.follow(value):
                space[first] = self.seen_from(value, instead_of)
            elif isinstance(value, ModuleType) and rest:
                space[first] = self.module(space[first], value, rest, instead_of)

    def module(self, present: Any, original: ModuleType, rest: list[str], instead_of: Function | None) -> ModuleType:
        """A stand-in for a module in which the attribute at the end of a chain is a copy; later chains add to it."""
        value = getattr(original, rest[0], None)
        if not self.follow(value) and not (isinstance(value, ModuleType) and len(rest) > 1):
            return present
        stand_in = ModuleType(original.__name__)
        stand_in.__dict__.update(present.__dict__)
        if isinstance(value, ModuleType):
            setattr(stand_in, rest[0], self.module(getattr(present, rest[0]), value, rest[1:], instead_of))
        else:
            setattr(stand_in, rest[0], self.seen_from(value, instead_of))
        return stand_in

    def seen_from(self, value: Any, instead_of: Any) -> Any:
        value = self.aliases.get(value, value)
        if value is instead_of:
            return self.copy(value, instead_of=None, inner=True)
        return self.stand_in(value)
