"""Pieces of machine code on disk: one file for each function and the types it was compiled for.

A file's name is a digest of all that its code was made from: the function's own syntax and constants, the rules that it calls by
name, the types of its arguments, and the versions of the tools. What those rules give back is not in the name: it is noted inside
and compared when the piece is loaded. A piece whose callees have changed their types is compiled anew.
"""

import hashlib
import pickle
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import llvmlite
from numba.core.caching import _Cache
from numba.core.compiler import compile_result
from numba.core.environment import Environment
from numba.core.sigutils import normalize_signature

from boardgames.rules.machine_code.compiler import digest_types, make_handle
from boardgames.rules.machine_code.libraries import InnerLibrary

if TYPE_CHECKING:
    from boardgames.rules.machine_code.dispatcher import RuleDispatcher

COMPILER = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py")))
TOOLS = f"{llvmlite.__version__} {hashlib.blake2b(COMPILER.encode(), digest_size=16).hexdigest()}"


class KeptCall(NamedTuple):
    """What a piece relies on: a rule, by the name it calls it, for some types, and what it gives back."""

    name: str
    arguments: tuple[Any, ...]
    symbol: str
    result: Any


class Piece(NamedTuple):
    """One compiled function, as it is kept."""

    bitcode: bytes
    descriptor: Any  # Numba's, with the types and the name in machine code
    signature: Any
    calls: tuple[KeptCall, ...]


class PieceCache(_Cache):
    """What Numba asks before it compiles a function, and tells afterwards."""

    def __init__(self, dispatcher: "RuleDispatcher", folder: Path) -> None:
        self.dispatcher, self.folder = dispatcher, folder
        self.loading: set[Any] = set()

    @property
    def cache_path(self) -> str:
        return str(self.folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function from the disk, with all that it calls; None if there is none, or it does not fit any more."""
        arguments, _ = normalize_signature(sig)
        piece = _read(self._path(arguments, target_context))
        if piece is None or arguments in self.loading:
            return None
        self.loading.add(arguments)
        try:
            callees = [self._find(call) for call in piece.calls]
        finally:
            self.loading.discard(arguments)
        if None in callees:
            return None
        return _revive(piece, callees, target_context)

    def save_overload(self, sig: Any, result: Any) -> None:
        arguments, _ = normalize_signature(sig)
        names = {callee: name for name, callee in self.dispatcher.callees.items()}
        library = result.library
        if not library.can_be_kept:
            return
        others = [call for call in library.calls if call.callee is not self.dispatcher]
        calls = {_note(names[call.callee], call.callee.overloads[call.arguments]) for call in others}
        result.fndesc.typemap = result.fndesc.calltypes = None  # as Numba does before it keeps one
        piece = Piece(library.bitcode, result.fndesc, result.signature, tuple(calls))
        try:
            content = pickle.dumps(tuple(piece))
        except (pickle.PicklingError, AttributeError, TypeError):
            return  # a type that only this process knows: compiled again next time
        _write(self._path(arguments, result.target_context), content)

    def _path(self, arguments: Any, target_context: Any) -> Path:
        text = f"{TOOLS} {target_context.codegen().magic_tuple()} {self.dispatcher.content} {digest_types(arguments)}"
        return self.folder / f"{hashlib.blake2b(text.encode(), digest_size=16).hexdigest()}.piece"

    def _find(self, call: KeptCall) -> InnerLibrary | None:
        """The piece that is called, if it still has the name and the result that the caller was compiled for."""
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


def _note(name: str, result: Any) -> KeptCall:
    return KeptCall(name, tuple(result.signature.args), result.fndesc.mangled_name, result.signature.return_type)


def _revive(piece: Piece, callees: Any, target_context: Any) -> Any:
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


def _read(path: Path) -> Piece | None:
    try:
        piece = Piece(*pickle.loads(path.read_bytes()))
        path.touch()  # what is in use is not discarded for its age
        return piece
    except FileNotFoundError:
        return None
    except Exception:  # cut off, or of another version of something: pickles fail in many ways, and the piece is made anew
        return None


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all, also when two processes compile the same rules. A full disk costs only the time of the next start."""
    part = path.with_name(f"{secrets.token_hex(8)}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
