"""Compiled functions as other rules and as Python see them."""

import functools
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba.core import types
from numba.core.registry import CPUDispatcher

from boardgames.rules.machine_code.compiler import (
    FullRootCompiler,
    InnerCompiler,
    LightRootCompiler,
    RuleCompiler,
)
from boardgames.rules.machine_code.pieces import PieceCache
from boardgames.rules.machine_code.stored_files import StoredRoots
from boardgames.rules.rulecode import Function, canonical_function, globals_used, rebind

OPTIONS: Any = {"nogil": True, "no_cfunc_wrapper": True}
NO_PYTHON: Any = {"nopython": True}  # what njit adds to them
NO_WAY_IN: Any = {"no_cpython_wrapper": True}
SMALL = (types.int8, types.int16, types.int32)


def is_numba_only() -> bool:
    """Whether Numba compiles by itself: BOARDGAMES_COMPILER=numba, with the same results."""
    return os.environ.get("BOARDGAMES_COMPILER") == "numba"


def compile_with_numba(function: Function, keep: bool) -> Any:
    """A function for Python and for rules to call, compiled by Numba alone; `keep` stores it on disk."""
    dispatcher: Any = numba.njit(function, **OPTIONS)
    if keep:
        dispatcher._cache = StoredRoots(dispatcher.py_func)
    return dispatcher


def compile_all(
    roots: Sequence[Function], mark: Callable[[Function], str], folder: Path
) -> dict[Function, Any]:
    """Machine code for Python to call, by root. The pieces are stored in the folder; `mark` names a root's
    whole content.
    """
    roles: Counter[str] = Counter()

    def finish(copy: Function, rule: Function) -> RuleDispatcher:
        name = rule.__code__.co_name
        roles[f"{rule.__module__}.{name}"] += 1
        count = roles[f"{rule.__module__}.{name}"]
        copy.__qualname__ = name if count == 1 else f"{name}.{count}"
        return RuleDispatcher(copy, rule, folder)

    inner = rebind(roots, finish=finish)
    stored_files = [path.name for path in folder.rglob("*.nbi")]
    is_new_game = not any(folder.glob("*.piece"))

    def is_full(name: str) -> bool:
        return is_new_game or any(f"{name}_full" in file for file in stored_files)

    names = {root: f"{root.__name__}_{mark(root)}" for root in roots}
    return {root: Root(inner[root].py_func, name, is_full(name)) for root, name in names.items()}


class RuleDispatcher(CPUDispatcher):
    """A function that rules call: compiled when first used, or loaded, and emitted inside the roots that
    reach it.
    """

    def __init__(self, function: Function, rule: Function, folder: Path) -> None:
        super().__init__(
            function,
            locals={},
            targetoptions={**OPTIONS, **NO_WAY_IN, **NO_PYTHON},
            pipeline_class=InnerCompiler,
        )
        self.rule, self.role = rule, f"{function.__module__}.{function.__qualname__}"
        self._cache = PieceCache(self, folder)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        wide = {name: _widen(kind) for name, kind in kws.items()}
        return super().get_call_template([_widen(kind) for kind in args], wide)

    @functools.cached_property
    def content(self) -> str:
        """A digest of the function by itself, and the roles of the rules it calls. Complete only when all
        rules are bound.
        """
        calls = [f"{name} -> {callee.role}" for name, callee in self.callees.items()]
        text = "\n".join([self.role, canonical_function(self.rule), *calls])
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    @functools.cached_property
    def callees(self) -> "dict[str, RuleDispatcher]":
        """The rules that this one calls, by the name it uses."""
        return {
            name: value
            for name, value in globals_used(self.py_func).items()
            if isinstance(value, RuleDispatcher)
        }


class Root:
    """A function that Python calls, with all that it reaches in one piece, kept on disk by Numba.

    It is optimised fully where the whole game has to be compiled anyway. After an edit it is optimised
    lightly: that is ready a second sooner and plays about 5 % slower. `refine` optimises it fully for a long
    run. Both play the same matches.
    """

    def __init__(self, function: Function, name: str, is_full: bool) -> None:
        self._full = RootDispatcher(_copy(function, f"{name}_full"), FullRootCompiler)
        self.code = (
            self._full if is_full else RootDispatcher(_copy(function, f"{name}_light"), LightRootCompiler)
        )

    def __call__(self, *arguments: Any) -> Any:
        return self.code(*arguments)

    @property
    def py_func(self) -> Function:
        return self.code.py_func

    @property
    def signatures(self) -> list[Any]:
        return list(self.code.signatures)

    def refine(self) -> None:
        """Optimise it fully. Calls that are running go on; the next call takes the new code."""
        for signature in self.code.signatures:
            self._full.compile(signature)
        self.code = self._full


class RootDispatcher(CPUDispatcher):
    """One form of a root."""

    def __init__(self, function: Function, compiler: type[RuleCompiler]) -> None:
        super().__init__(function, locals={}, targetoptions={**OPTIONS, **NO_PYTHON}, pipeline_class=compiler)
        self._cache = StoredRoots(self.py_func)


def _copy(function: Function, name: str) -> Function:
    """A second copy of the rule, for Python; rules call the first."""
    copy = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__module__, copy.__qualname__ = function.__module__, name
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _widen(kind: Any) -> Any:
    """Pass small whole numbers on as 64 bits: the values are the same, and a function is compiled once
    instead of once per type.
    """
    return types.int64 if kind in SMALL else kind
