"""Pieces of machine code on disk: one file for each function and the types it was compiled for.

A file's name is a digest of all that its code was made from: the function's own syntax and constants, the
rules that it calls by name, the types of its arguments, and the versions of the tools. What those rules
return is not in the name: it is noted inside and compared when the piece is loaded. A piece whose callees
have changed their types is compiled again.
"""

import hashlib
import pickle
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import llvmlite
from numba.core.caching import _Cache
from numba.core.compiler import compile_result
from numba.core.environment import Environment
from numba.core.sigutils import normalize_signature

from boardgames.rules.machine_code.compiler import digest_types, make_handle
from boardgames.rules.machine_code.libraries import InnerLibrary
from boardgames.rules.machine_code.stored_files import read_stored, write_stored

if TYPE_CHECKING:
    from boardgames.rules.machine_code.dispatcher import RuleDispatcher

COMPILER = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py")))
TOOLS = f"{llvmlite.__version__} {hashlib.blake2b(COMPILER.encode(), digest_size=16).hexdigest()}"


class PieceCall(NamedTuple):
    """What a piece relies on: a rule, by the name under which it is called, its argument types and its
    result.
    """

    name: str
    arguments: tuple[Any, ...]
    symbol: str
    result: Any


class Piece(NamedTuple):
    """One compiled function, as it is stored."""

    bitcode: bytes
    descriptor: Any  # Numba's, with the types and the name in machine code
    signature: Any
    calls: tuple[PieceCall, ...]


class PieceCache(_Cache):
    """Where Numba looks before it compiles a function, and stores the result afterwards."""

    def __init__(self, dispatcher: "RuleDispatcher", folder: Path) -> None:
        self.dispatcher, self.folder = dispatcher, folder
        self.loading: set[Any] = set()

    @property
    def cache_path(self) -> str:
        return str(self.folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function from disk, with all that it calls; None if there is none or it no longer
        fits.
        """
        arguments, _ = normalize_signature(sig)
        piece = _read_piece(self._make_path(arguments, target_context))
        if piece is None or arguments in self.loading:
            return None
        self.loading.add(arguments)
        try:
            callees = [self._load_callee(call) for call in piece.calls]
        finally:
            self.loading.discard(arguments)
        if None in callees:
            return None
        try:
            return _restore_result(piece, callees, target_context)
        except RuntimeError:  # LLVM cannot read it: it is made again
            return None

    def save_overload(self, sig: Any, result: Any) -> None:
        arguments, _ = normalize_signature(sig)
        names = {callee: name for name, callee in self.dispatcher.callees.items()}
        library = result.library
        if not library.is_portable:
            return
        others = [call for call in library.calls if call.callee is not self.dispatcher]
        calls = {
            _make_piece_call(names[call.callee], call.callee.overloads[call.arguments]) for call in others
        }
        result.fndesc.typemap = result.fndesc.calltypes = None  # as Numba does before it stores one
        piece = Piece(library.bitcode, result.fndesc, result.signature, tuple(calls))
        try:
            content = pickle.dumps(tuple(piece))
        except (pickle.PicklingError, AttributeError, TypeError):
            return  # a type that only this process knows: compiled again next time
        write_stored(self._make_path(arguments, result.target_context), content)

    def _make_path(self, arguments: Any, target_context: Any) -> Path:
        machine = target_context.codegen().magic_tuple()
        text = f"{TOOLS} {machine} {self.dispatcher.content} {digest_types(arguments)}"
        return self.folder / f"{hashlib.blake2b(text.encode(), digest_size=16).hexdigest()}.piece"

    def _load_callee(self, call: PieceCall) -> InnerLibrary | None:
        """The piece that is called, if it still has the name and the result that the caller was compiled
        for.
        """
        dispatcher = self.dispatcher.callees[call.name]
        dispatcher.compile(call.arguments)
        result: Any = dispatcher.overloads[call.arguments]
        fits = result.fndesc.mangled_name == call.symbol and result.signature.return_type == call.result
        return result.library if fits else None

    def enable(self) -> None:
        pass

    def disable(self) -> None:
        pass

    def flush(self) -> None:
        pass


def _make_piece_call(name: str, result: Any) -> PieceCall:
    return PieceCall(
        name, tuple(result.signature.args), result.fndesc.mangled_name, result.signature.return_type
    )


def _restore_result(piece: Piece, callees: Any, target_context: Any) -> Any:
    """What Numba's compiler would have returned."""
    library = InnerLibrary(target_context.codegen(), piece.descriptor.qualname)
    library.load(piece.bitcode, callees)
    environment = Environment.from_fndesc(piece.descriptor)
    return compile_result(
        typing_context=target_context.typing_context,
        target_context=target_context,
        entry_point=make_handle(library, piece.descriptor, environment),
        library=library,
        signature=piece.signature,
        objectmode=False,
        lifted=(),
        fndesc=piece.descriptor,
        environment=environment,
        reload_init=(),
    )


def _read_piece(path: Path) -> Piece | None:
    content = read_stored(path)
    if content is None:
        return None
    with suppress(OSError):
        path.touch()  # what is in use is not discarded for its age
    try:
        return Piece(*pickle.loads(content))
    except MemoryError:
        raise
    except Exception:  # of another version: pickles fail in many ways, and the piece is made again
        return None
