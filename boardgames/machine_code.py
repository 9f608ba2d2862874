"""Machine code of rules, made as a C compiler makes a program: each function is lowered once, and what Python calls is linked,
optimised and emitted once, with all that it reaches inside it.

Numba by itself optimises and emits every function anew, together with all that it calls, and it counts references to every array
that a call hands on. Rules that allocate nothing need no counts: leaving them out makes play three times as fast. Both hang on the
part of Numba's compiler that is meant to be exchanged, the pipeline class, so other users of Numba in this process notice nothing.
`BOARDGAMES_COMPILER=numba` compiles in the ordinary way, with the same results.
"""

import copy
import os
from collections.abc import Callable
from typing import Any

import numba
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import ir, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.cpu import CPUContext
from numba.core.environment import lookup_environment
from numba.core.errors import NumbaError, UnsupportedError

NUMBA_SYMBOL = "_ZN"  # how the names of Numba's functions begin
ENVIRONMENTS = "_ZN08NumbaEnv"  # and those of what they look constants up in
OPTIONS: Any = {"nogil": True, "no_cfunc_wrapper": True}
NO_WAY_IN: Any = {"no_cpython_wrapper": True}


def is_ordinary() -> bool:
    """Whether Numba compiles by itself."""
    return os.environ.get("BOARDGAMES_COMPILER") == "numba"


def compile_root(function: Callable[..., Any]) -> Any:
    """For Python to call: machine code with all that the function reaches, kept on disk. No rule may call it."""
    return numba.njit(function, cache=True, pipeline_class=RootCompiler, **OPTIONS)


def compile_inner(function: Callable[..., Any]) -> Any:
    """For other rules to call: lowered when first used, and emitted inside the roots that reach it."""
    return numba.njit(function, pipeline_class=InnerCompiler, **OPTIONS, **NO_WAY_IN)


def compile_ordinary(function: Callable[..., Any]) -> Any:
    """For Python and for rules to call, as Numba does it by itself."""
    return numba.njit(function, cache=True, **OPTIONS)


# ---- libraries: one function each, before and after linking


class InnerLibrary(JITCodeLibrary):
    """A function that is only lowered. Its callees are linked beside it, not into it."""

    def finalize(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def _get_module_for_linking(self) -> Any:
        """As it is, with a name that the linker keeps: what nothing needs yet, a function that is linked later may need."""
        return self._final_module.clone()


class RootLibrary(JITCodeLibrary):
    """A function together with all that it reaches, each once and out of sight of the linker."""

    def finalize(self) -> None:
        visible = {function.name for function in self._final_module.functions if not function.is_declaration}
        for library in self._reach():
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        for function in self._final_module.functions:
            if function.is_declaration and function.name.startswith(NUMBA_SYMBOL):
                raise UnsupportedError(f"{function.name} is called but not compiled")  # LLVM would end the process
            if not function.is_declaration and function.name not in visible:
                function.linkage = "internal"
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _reach(self) -> list[Any]:
        """Every library behind this one, each once. Numba's own come last: the linker keeps of them what rules need by then."""
        found: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library not in found:
                found[library] = None
                waiting += library._linking_libraries if isinstance(library, InnerLibrary) else []
        return sorted(found, key=lambda library: not isinstance(library, InnerLibrary))


# ---- contexts: what becomes of a function that is lowered


class InnerContext(CPUContext):
    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """Something to tell functions apart by; Python never calls it."""
        name = fndesc.qualname.split(".")[-1]
        return _dynfunc.make_function(fndesc.lookup_module(), name, "a rule that rules call", 0, env, (library,))


class RootContext(CPUContext):
    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        entry = super().get_executable(library, fndesc, env)
        for variable in library._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENTS) else None
            if environment is not None:
                library.codegen.set_env(variable.name, environment)
        return entry


# ---- compilers


class RuleCompiler(Compiler):
    """Tries without counting references; a function that allocates, or meets arrays that another one made, is compiled with."""

    library_class: type[JITCodeLibrary]
    context_class: type[CPUContext]

    def __init__(self, *given: Any, counts: bool = False) -> None:
        typing, target, library, arguments, result, flags, local_types = given
        flags = flags.copy()
        flags.nrt = counts
        super().__init__(typing, target, library, arguments, result, flags, local_types)
        self.given, self.counts = given, counts
        context = copy.copy(self.state.targetctx)
        context.__class__ = self.context_class
        self.state.targetctx = context

    def compile_extra(self, function: Any) -> Any:
        self.state.library = self.library_class(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        if self.counts:
            return super().compile_extra(function)
        try:
            result = super().compile_extra(function)
            if not self._hands_on_arrays(result):
                return result
        except NumbaError:  # with counts it may compile; if not, the error is told from there
            self.state.typingctx.callstack._fail_cache.clear()  # what it could not call without, it may be able to call with them
        return type(self)(*self.given, counts=True).compile_extra(function)

    def _hands_on_arrays(self, result: Any) -> bool:
        """Whether this function, or a rule that it calls, returns an array: then both sides must count."""
        calls = [call for expression, call in self.state.calltypes.items() if self._calls_rule(expression)]
        return any(_holds_array(kind) for kind in [result.signature.return_type, *(call.return_type for call in calls)])

    def _calls_rule(self, expression: Any) -> bool:
        is_call = isinstance(expression, ir.Expr) and expression.op == "call"
        return is_call and isinstance(self.state.typemap.get(expression.func.name), types.Dispatcher)


class InnerCompiler(RuleCompiler):
    library_class, context_class = InnerLibrary, InnerContext


class RootCompiler(RuleCompiler):
    library_class, context_class = RootLibrary, RootContext


def _holds_array(kind: Any) -> bool:
    parts = getattr(kind, "types", ()) if isinstance(kind, types.BaseTuple) else (kind,)
    return any(isinstance(part, types.Array) or (part is not kind and _holds_array(part)) for part in parts)
