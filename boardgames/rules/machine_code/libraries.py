"""Pieces of machine code: one function each, before and after linking."""

from typing import Any

from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.errors import UnsupportedError

NUMBA_SYMBOL = "_ZN"  # how the names of Numba's functions begin
ENVIRONMENTS = "_ZN08NumbaEnv"  # and those of tables of Python objects, which rules do not have


class InnerLibrary(JITCodeLibrary):
    """A function that rules call: its own code with Numba's helpers inside, and other rules as
    declarations.
    """

    uses_vectors = False

    def finalize(self) -> None:
        own = _find_definitions(self._final_module)
        libraries = list(dict.fromkeys(self._linking_libraries))
        for library in libraries:
            if not isinstance(library, InnerLibrary):  # its names are others in the next process
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._linking_libraries = [library for library in libraries if isinstance(library, InnerLibrary)]
        _hide_all_but(own, self._final_module)
        if self.uses_vectors:
            passes, builder = self._codegen._module_pass_manager(
                opt=3, loop_vectorize=True, slp_vectorize=False
            )
            passes.run(self._final_module, builder)
        self._finalize_dynamic_globals()
        self._finalized = True

    def load(self, bitcode: bytes, callees: "list[InnerLibrary]") -> None:
        """Restore the `bitcode` of an earlier process, and the pieces that it calls."""
        self._final_module = llvm.parse_bitcode(bitcode)
        self._linking_libraries = callees
        self._finalized = True

    @property
    def bitcode(self) -> bytes:
        return bytes(self._final_module.as_bitcode())

    @property
    def is_portable(self) -> bool:
        """Whether the code means the same in another process: no addresses of this one, nothing to run when
        it is loaded.
        """
        return not self._dynamic_globals and not self._reload_init

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # Python never calls it

    def _get_module_for_linking(self) -> Any:
        return self._final_module.clone()


class RootLibrary(JITCodeLibrary):
    """A function together with all that it reaches, each once and out of sight of the linker."""

    optimisation = 3
    uses_vectors = False

    def finalize(self) -> None:
        own = _find_definitions(self._final_module) | {
            variable.name for variable in self._final_module.global_variables
        }
        for library in self._find_libraries():
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        for function in self._final_module.functions:
            if function.is_declaration and function.name.startswith(NUMBA_SYMBOL):
                # LLVM would end the process
                raise UnsupportedError(f"{function.name} is called but not compiled")
        _hide_all_but(own, self._final_module)
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def _optimize_final_module(self) -> None:
        """Once, without vectors: rules are short loops over small arrays, and vectors make them larger, not
        quicker.
        """
        passes, builder = self._codegen._module_pass_manager(
            opt=self.optimisation, loop_vectorize=False, slp_vectorize=False
        )
        passes.run(self._final_module, builder)

    def _find_libraries(self) -> list[Any]:
        """Every library that this one needs, each once. Numba's own come last: the linker keeps only what the
        rules have asked for by then.
        """
        libraries: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library not in libraries:
                libraries[library] = None
                waiting += library._linking_libraries if isinstance(library, InnerLibrary) else []
        return sorted(libraries, key=lambda library: not isinstance(library, InnerLibrary))


class LightRootLibrary(RootLibrary):
    """The same, optimised in half the time."""

    optimisation = 1


def _find_definitions(module: Any) -> set[str]:
    return {function.name for function in module.functions if not function.is_declaration}


def _hide_all_but(own: set[str], module: Any) -> None:
    """Make everything else internal: the linker's table of names is one for the whole process, and the first
    name wins.
    """
    for name in _find_definitions(module) - own:
        module.get_function(name).linkage = "internal"
    for variable in list(module.global_variables):
        if variable.name.startswith(ENVIRONMENTS) and variable.name not in own:
            variable.name = "no_environment"  # else Numba would look for its address
            variable.linkage = "internal"
