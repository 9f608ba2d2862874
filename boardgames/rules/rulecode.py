"""Rule functions: written once as plain Python, then copied, rebound, compiled and fingerprinted.

A rule function stands at the top level of a file and calls other rule functions by name. The original is
never compiled, so a debugger can step through it. `rebind` makes copies that call each other instead of the
originals. Everything that needs "the same rules, but ..." uses it: the engine's loop, whose placeholders
become a game's functions; `derive`; the compiler.
"""

import ast
import builtins
import dis
import functools
import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from boardgames.errors import PluginError

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)


class NotARule(PluginError):
    """A function that cannot be copied, compiled or fingerprinted as a rule."""


def rule(function: F) -> F:
    """Mark a function as a rule, and remember the present text of its file for the fingerprint."""
    if getattr(function, "__closure__", None):
        raise NotARule(
            f"{function.__qualname__} is defined inside another function: "
            "rules stand at the top level of a file"
        )
    path = function.__code__.co_filename
    try:
        function.__rule__ = _read_text(path, os.stat(path).st_mtime_ns)  # type: ignore[attr-defined]
    except OSError:
        raise NotARule(
            f"{function.__qualname__} has no source file ({path}): rule functions are written in a file"
        ) from None
    return function


PLATFORM = Path(__file__).parent.parent
EXAMPLES = PLATFORM / "examples"  # games like any other


def is_platform_file(path: str) -> bool:
    """Whether this file belongs to the platform, not to a game."""
    return Path(path).is_relative_to(PLATFORM) and not Path(path).is_relative_to(EXAMPLES)


def use_vectors(function: F) -> F:
    """Let the compiler use vector instructions in a rule: for a loop over a row of numbers that calls no
    other rule. Everywhere else they make rules larger, not quicker.

    Loop over `row.shape[0]`: the compiler unrolls a loop of constant length before it looks for vectors.
    """
    function.uses_vectors = True  # type: ignore[attr-defined]
    return function


def is_rule(value: object) -> bool:
    return isinstance(value, FunctionType) and hasattr(value, "__rule__")


@functools.lru_cache(maxsize=256)
def _read_text(path: str, changed: int) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


# ---- what a rule function calls


@functools.cache
def find_name_chains(code: CodeType) -> tuple[tuple[str, ...], ...]:
    """Every global that the code uses, with the attributes read from it: `chance.draw(...)` is ("chance",
    "draw").
    """
    chains: set[tuple[str, ...]] = set()
    chain: tuple[str, ...] = ()
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_ATTR", "LOAD_METHOD") and chain:
            chain += (step.argval,)
        elif step.opname not in ("CACHE", "PRECALL", "PUSH_NULL"):
            chains.add(chain)
            chain = (step.argval,) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") else ()
    nested = [find_name_chains(const) for const in code.co_consts if isinstance(const, CodeType)]
    return tuple(sorted((chains | {chain}).union(*nested) - {()}))


def globals_used(function: Function) -> dict[str, Any]:
    """The globals that a function uses, by dotted name, through modules and enumerations."""
    values: dict[str, Any] = {}
    for first, *rest in find_name_chains(function.__code__):
        name, value = first, function.__globals__.get(first, _MISSING)
        for attribute in rest:
            if isinstance(value, ModuleType) or (isinstance(value, type) and issubclass(value, Enum)):
                name, value = f"{name}.{attribute}", getattr(value, attribute, _MISSING)
        if value is not _MISSING:
            values[name] = value
    return values


_MISSING = object()
ALLOWED_KINDS = "rules use nothing but numbers, tuples and NumPy arrays"
FORBIDDEN_SYNTAX: dict[type[ast.AST], str] = {
    ast.Dict: "a dictionary",
    ast.DictComp: "a dictionary",
    ast.Set: "a set",
    ast.SetComp: "a set",
    ast.List: "a list",
    ast.ListComp: "a list",
    ast.GeneratorExp: "a generator",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.JoinedStr: "a string",
    ast.ClassDef: "a class",
    ast.Lambda: "a lambda",
    ast.FunctionDef: "a function inside it",
    ast.Try: "try",
    ast.With: "with",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.Global: "global",
}
FORBIDDEN_CALLS = {
    "str": "a string",
    "repr": "a string",
    "dict": "a dictionary",
    "list": "a list",
    "set": "a set",
    "print": "print",
}


def find_callees(function: Function) -> list[Function]:
    return [value for value in globals_used(function).values() if is_rule(value)]


def reachable_rules(
    roots: Iterable[Function], skip: Callable[[Function], bool] = lambda function: False
) -> list[Function]:
    """The roots and every rule function that they call, directly or not, in an order that depends only on the
    rules.
    """
    rules: dict[Function, None] = {}
    waiting = list(roots)[::-1]
    while waiting:
        function = waiting.pop()
        if function not in rules and not skip(function):
            rules[function] = None
            waiting += find_callees(function)[::-1]
    return list(rules)


def has_mutual_recursion(roots: Iterable[Function]) -> bool:
    """Whether two rules call each other in a circle. A rule that calls itself does not count."""
    done: set[Function] = set()
    path: dict[Function, None] = {}

    def leads_back(function: Function) -> bool:
        path[function] = None
        others = [
            callee for callee in find_callees(function) if callee is not function and callee not in done
        ]
        is_circle = any(callee in path or leads_back(callee) for callee in others)
        del path[function]
        done.add(function)
        return is_circle

    return any(leads_back(root) for root in roots if root not in done)


# ---- what a rule function is


def digest_rules(roots: Iterable[Function]) -> str:
    """A fingerprint of what these functions run: their syntax and constants, and those of all their
    callees.
    """
    return hashlib.blake2b(canonical_source(roots).encode(), digest_size=16).hexdigest()


def canonical_source(
    roots: Iterable[Function], skip: Callable[[Function], bool] = lambda function: False
) -> str:
    """The whole text of some rules: each function with the indices, in this text, of the functions it calls.

    Indices, not names: functions of the same name in different files are not mixed up.
    """
    functions = reachable_rules(roots, skip)
    indices = {function: str(index) for index, function in enumerate(functions)}
    parts = []
    for function in functions:
        calls = {name: value for name, value in globals_used(function).items() if is_rule(value)}
        parts += [
            canonical_function(function),
            *(f"{name} -> {indices.get(value, value.__name__)}" for name, value in calls.items()),
        ]
    return "\n".join(parts)


@functools.lru_cache(maxsize=4096)
def canonical_function(function: Function) -> str:
    """The text of one function: its syntax without comments, docstring and annotations, its defaults and the
    constants it uses.
    """
    syntax = _format_syntax(function)
    defaults: dict[str, Any] = {
        f"default {index}": value for index, value in enumerate(function.__defaults__ or ())
    }
    defaults |= {f"default {name}": value for name, value in (function.__kwdefaults__ or {}).items()}
    constants = defaults | globals_used(function)
    lines = [
        f"{name} = {_format_value(function, name, value)}"
        for name, value in constants.items()
        if not is_rule(value)
    ]
    return "\n".join([syntax, *lines])


def _format_value(function: Function, name: str, value: Any) -> str:
    if isinstance(value, ModuleType) or _is_library(value):
        return ""
    if isinstance(value, Enum):
        return repr(value.value)
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str}{value.shape}{np.ascontiguousarray(value).tobytes().hex()}"
    if isinstance(value, tuple):
        return f"({','.join(_format_value(function, name, part) for part in value)})"
    if isinstance(value, (bool, int, float, np.generic, np.dtype)):
        return repr(value)
    where = f"the rule {function.__name__} ({function.__code__.co_filename})"
    if callable(value):
        raise NotARule(f"{where} uses {name}, which is not marked @rule")
    raise NotARule(f"{where} mentions {name}, a {type(value).__name__}: {ALLOWED_KINDS}")


def _is_library(value: Any) -> bool:
    """Whether it is a function or type of Python or NumPy, whose versions the lock file pins."""
    module = getattr(value, "__module__", None) or type(value).__module__
    return callable(value) and module.partition(".")[0] in ("builtins", "numpy", "math", "random")


def _format_syntax(function: Function) -> str:
    code = function.__code__
    try:
        definition = _parse_definitions(function.__rule__)[code.co_name, code.co_firstlineno]  # type: ignore[attr-defined]
    except KeyError:
        line = code.co_firstlineno
        raise NotARule(
            f"{code.co_filename} changed while it was loaded: {code.co_name} is not at line {line}"
        ) from None
    undefined = {
        first
        for first, *_ in find_name_chains(code)
        if first not in function.__globals__ and not hasattr(builtins, first)
    }
    nodes: Iterator[Any] = (node for part in definition.body for node in ast.walk(part))
    for node in nodes:
        mistake = (
            f"{node.id}, which is not defined"
            if isinstance(node, ast.Name) and node.id in undefined
            else _find_forbidden(node)
        )
        if mistake:
            raise NotARule(f"the rule {code.co_name} ({code.co_filename}, line {node.lineno}) uses {mistake}")
    return f"{_format_node(definition.args)}{_format_node(definition.body)}"


class Definition(NamedTuple):
    """A function as written: its arguments, and its body without the docstring."""

    args: ast.arguments
    body: list[ast.stmt]


_PARSING = threading.Lock()  # in Python 3.11 two threads that parse at a time make each other fail


@functools.lru_cache(maxsize=256)
def _parse_definitions(text: str) -> dict[tuple[str, int], Definition]:
    """The functions in a file, by name and first line."""
    with _PARSING:
        tree = ast.parse(text)
    definitions = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            definitions[node.name, first] = Definition(node.args, body)
    return definitions


def _find_forbidden(node: Any) -> str:
    """What a rule may not use, in words, because compiled it would be slow, different or impossible; "" if
    nothing is wrong.
    """
    construct = FORBIDDEN_SYNTAX.get(type(node), "")
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        construct = "a string"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        construct = FORBIDDEN_CALLS.get(node.func.id, "")
    return f"{construct}: {ALLOWED_KINDS}" if construct else ""


def _format_node(node: Any) -> str:
    """A syntax tree as text, the same in every Python version: without empty fields, contexts and
    annotations.
    """
    if isinstance(node, list):
        return f"[{','.join(map(_format_node, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    left_out = {"ctx", "annotation", "kind", "type_comment", "type_params", "returns"}
    fields = [
        (name, value)
        for name, value in ast.iter_fields(node)
        if name not in left_out and value not in (None, [])
    ]
    return f"{type(node).__name__}({','.join(f'{name}={_format_node(value)}' for name, value in fields)})"


# ---- copies that call each other


def rebind(
    roots: Iterable[Function],
    replace: Mapping[Function, Function] | None = None,
    finish: Callable[[Function, Function], Any] = lambda copy, original: copy,
    follow: Callable[[Any], bool] = is_rule,
    aliases: Mapping[Function, Function] | None = None,
) -> dict[Function, Any]:
    """Copies of the roots and of all that they call, with some functions replaced: {original: copy}.

    A replacement may call the function it replaces: there, and only there, the name still means the old one.
    `finish(copy, original)` turns each copy into what the others call, for instance a compiled function;
    `follow` says which functions are copied; `aliases` are functions that stand for others, as an ancestor's
    rule stands for the present one.
    """
    copier = _Copier(dict(replace or {}), finish, follow, dict(aliases or {}))
    return {root: copier.find_copy(root) for root in roots}


class _Copier:
    """One run of `rebind`: the copies made so far and their namespaces."""

    def __init__(
        self,
        replace: dict[Function, Function],
        finish: Callable[..., Any],
        follow: Callable[[Any], bool],
        aliases: dict[Function, Function],
    ) -> None:
        self.replace = replace
        self.finish = finish
        self.follow = follow
        self.aliases = aliases
        self.copies: dict[tuple[Function, Function | None], Any] = {}
        self.namespaces: dict[tuple[int, Function | None], dict[str, Any]] = {}

    def find_copy(self, original: Function) -> Any:
        original = self.aliases.get(original, original)
        if original in self.replace:
            return self.copy(self.replace[original], instead_of=original)
        return self.copy(original, instead_of=None)

    def copy(self, function: Function, instead_of: Function | None, inner: bool = False) -> Any:
        """A copy of a function, under the name of the one it replaces, if any.

        `inner`: it is a replaced function itself, which only its replacement can call.
        """
        if (function, instead_of) not in self.copies:
            namespace = self.namespaces.setdefault(
                (id(function.__globals__), instead_of), dict(function.__globals__)
            )
            # a rule keeps its name when it is replaced
            name = function.__name__ if instead_of is None else instead_of.__name__
            copy = FunctionType(
                function.__code__, namespace, name, function.__defaults__, function.__closure__
            )
            copy.__dict__.update(function.__dict__)
            original = instead_of or function
            copy.__stands_for__ = () if inner else (original, *getattr(original, "__stands_for__", ()))  # type: ignore[attr-defined]
            copy.__module__ = function.__module__
            copy.__qualname__ = function.__qualname__
            copy.__doc__ = function.__doc__
            copy.__kwdefaults__ = function.__kwdefaults__
            # before its callees: rules may be recursive
            self.copies[function, instead_of] = self.finish(copy, function)
            self.bind_names(namespace, function, instead_of)
        return self.copies[function, instead_of]

    def bind_names(self, namespace: dict[str, Any], function: Function, instead_of: Function | None) -> None:
        """Bind the names that the function uses to copies, through modules of any depth."""
        for first, *rest in find_name_chains(function.__code__):
            value = function.__globals__.get(first)
            if self.follow(value):
                namespace[first] = self.resolve(value, instead_of)
            elif isinstance(value, ModuleType) and rest:
                namespace[first] = self.copy_module(namespace[first], value, rest, instead_of)

    def copy_module(
        self, present: Any, original: ModuleType, rest: list[str], instead_of: Function | None
    ) -> ModuleType:
        """A copy of a module in which the attribute at the end of the chain is a copy; later chains add to
        it.
        """
        value = getattr(original, rest[0], None)
        if not self.follow(value) and not (isinstance(value, ModuleType) and len(rest) > 1):
            return present
        stand_in = ModuleType(original.__name__)
        stand_in.__dict__.update(present.__dict__)
        if isinstance(value, ModuleType):
            setattr(
                stand_in, rest[0], self.copy_module(getattr(present, rest[0]), value, rest[1:], instead_of)
            )
        else:
            setattr(stand_in, rest[0], self.resolve(value, instead_of))
        return stand_in

    def resolve(self, value: Any, instead_of: Any) -> Any:
        value = self.aliases.get(value, value)
        if value is instead_of:
            return self.copy(value, instead_of=None, inner=True)
        return self.find_copy(value)
