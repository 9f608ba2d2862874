"""From the syntax of one function to its own piece of code, by Numba's passes: those that rules need, without
counting references.

A function that allocates, or uses what only Numba's whole pipeline understands, is compiled by all passes and
counts.
"""

import copy
import hashlib
from typing import Any, NamedTuple

from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import ir, types
from numba.core.cgutils import raw_memcpy
from numba.core.compiler import Compiler, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import PassManager
from numba.core.cpu import CPUContext
from numba.core.errors import NumbaError
from numba.core.itanium_mangler import mangle
from numba.core.typed_passes import (
    AnnotateTypes,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonRewrites,
    NoPythonSupportedFeatureValidation,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    RewriteSemanticConstants,
    TranslateByteCode,
)

from boardgames.rules.machine_code.libraries import InnerLibrary, LightRootLibrary, RootLibrary

PASSES = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    RewriteSemanticConstants,
    DeadBranchPrune,
    GenericRewrites,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    NopythonRewrites,
    NoPythonSupportedFeatureValidation,
    IRLegalization,
    AnnotateTypes,
    NativeLowering,
    NoPythonBackend,
)


class Call(NamedTuple):
    """A rule that a function calls, and the types it hands over."""

    callee: Any  # a dispatcher
    arguments: tuple[Any, ...]


# ---- contexts: what becomes of a function that is lowered


class RuleContext(CPUContext):
    """For all functions of rules."""

    def pack_value(self, builder: Any, ty: Any, value: Any, ptr: Any, align: Any = None) -> None:
        """Copy a record as one piece of memory: Numba hands LLVM each byte separately, a third of all the
        code that LLVM reads.
        """
        if isinstance(ty, types.Record):
            raw_memcpy(builder, ptr, value, self.get_constant(types.intp, ty.size), 1)
        else:
            super().pack_value(builder, ty, value, ptr, align)


class InnerContext(RuleContext):
    """For functions that rules call. Their names in machine code are the same in every process."""

    def mangler(self, name: str, types: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
        return str(mangle(name, (), abi_tags=(digest_types(types),)))

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """A handle that identifies the function; Python never calls it."""
        library.get_pointer_to_function(fndesc.mangled_name)  # finalises it, as Numba expects here
        return make_handle(library, fndesc, env)


def digest_types(argument_types: Any) -> str:
    text = " ".join(map(_format_type, argument_types))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _format_type(kind: Any) -> str:
    """A type as text. Numba leaves out the names of a tuple's fields, and code that reads a field depends on
    their order.
    """
    fields = getattr(kind, "fields", ()) if isinstance(kind, types.BaseNamedTuple) else ()
    return " ".join([str(kind), *fields])


def make_handle(library: Any, fndesc: Any, environment: Any) -> Any:
    """A Python object that stands for a compiled function without a way in from Python."""
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(
        fndesc.lookup_module(), name, "a rule that rules call", 0, environment, (library,)
    )


# ---- compilers


class RuleFlags(Flags):
    """Numba's flags, compared by what was set: Numba compares all fifty at every call of one of its
    functions.
    """

    __slots__ = ()

    def __hash__(self) -> int:
        return OPTION_NAMES

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, RuleFlags) and self._values == other._values) or super().__eq__(other)


OPTION_NAMES = hash(Flags())


class RuleCompiler(Compiler):
    """Tries the short pipeline first. A function that it cannot compile, or that meets arrays made by another
    function, gets Numba's whole pipeline.
    """

    library_class: type[InnerLibrary | RootLibrary]
    context_class: type[CPUContext]

    def __init__(self, *given: Any, short: bool = True) -> None:
        typing, target, library, arguments, result, flags, local_types = given
        flags = RuleFlags(flags)
        setattr(flags, "nrt", not short)  # noqa: B010 - Numba declares its flags in a way that type checkers do not see
        super().__init__(typing, target, library, arguments, result, flags, local_types)
        self.given, self.short = given, short
        context = copy.copy(self.state.targetctx)
        context.__class__ = self.context_class
        self.state.targetctx = context

    def define_pipelines(self) -> list[PassManager]:
        if not self.short:
            return [DefaultPassBuilder.define_nopython_pipeline(self.state)]
        passes = PassManager("rules")
        for compiler_pass in PASSES:
            passes.add_pass(compiler_pass, compiler_pass.__name__)
        passes.finalize()
        return [passes]

    def compile_extra(self, function: Any) -> Any:
        library = self.library_class(self.state.targetctx.codegen(), function.__qualname__)
        library.uses_vectors = getattr(function, "uses_vectors", False)
        library.enable_object_caching()
        self.state.library = library
        if not self.short:
            return self._compile(function)
        try:
            result = self._compile(function)
            if not any(
                _holds_array(kind) for kind in (result.signature.return_type, *self._find_result_types())
            ):
                return result
        except NumbaError:  # the whole pipeline may succeed; if not, it raises the error
            # callees that failed in the short pipeline may compile now
            self.state.typingctx.callstack._fail_cache.clear()
        return type(self)(*self.given, short=False).compile_extra(function)

    def _compile(self, function: Any) -> Any:
        result = super().compile_extra(function)
        result.library.calls = [
            Call(self._find_callee(call), self.state.calltypes[call].args) for call in self._find_calls()
        ]
        return result

    def _find_calls(self) -> list[Any]:
        """The expressions in which this function calls a rule."""
        expressions = [key for key in self.state.calltypes if isinstance(key, ir.Expr) and key.op == "call"]
        return [
            expression
            for expression in expressions
            if isinstance(self.state.typemap.get(expression.func.name), types.Dispatcher)
        ]

    def _find_callee(self, call: Any) -> Any:
        return self.state.typemap[call.func.name].dispatcher

    def _find_result_types(self) -> list[Any]:
        return [self.state.calltypes[call].return_type for call in self._find_calls()]


class InnerCompiler(RuleCompiler):
    library_class, context_class = InnerLibrary, InnerContext


class FullRootCompiler(RuleCompiler):
    library_class, context_class = RootLibrary, RuleContext


class LightRootCompiler(RuleCompiler):
    library_class, context_class = LightRootLibrary, RuleContext


def _holds_array(kind: Any) -> bool:
    parts = getattr(kind, "types", ()) if isinstance(kind, types.BaseTuple) else (kind,)
    return any(isinstance(part, types.Array) or (part is not kind and _holds_array(part)) for part in parts)
