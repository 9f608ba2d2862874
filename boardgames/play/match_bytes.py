"""A match as bytes: what is needed to go on from there, on any machine with the same rules."""

import json
import zlib
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from boardgames.errors import InvalidInput, RulesChanged
from boardgames.game.variant import Variant

if TYPE_CHECKING:
    from boardgames.play.match import Match

M = TypeVar("M", bound="Match")
NUMBERS = ("players", "seed", "deal", "seating", "earlier_actions", "decision")


def write_match(match: "Match") -> bytes:
    """The bytes of a match: a line of JSON, then its positions."""
    head: dict[str, Any] = {
        "fingerprint": match.variant.fingerprint(),
        "players": match.players,
        "seed": match.seed,
        "deal": match.deal,
        "seating": match.seating,
        "actions": match.actions,
        "earlier_actions": match.earlier_actions,
        "decision": match._decision,
    }
    # one position is much like the next
    packed = zlib.compress(b"".join(map(bytes, _list_parts(match))), 1)
    return json.dumps(head).encode() + b"\n" + packed


def _list_parts(match: "Match") -> list[np.ndarray[Any, Any]]:
    scratch = match._scratch
    return [match._states, scratch.decisions, scratch.decision_turns, *match._befores]


def _read_head(line: bytes) -> dict[str, Any]:
    """The first line of a match. Raises if it is of anything else."""
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    kinds = {"fingerprint": str, "actions": list} | dict.fromkeys(NUMBERS, int)
    if (
        not isinstance(head, dict)
        or not all(isinstance(head.get(name), kind) for name, kind in kinds.items())
        or not all(isinstance(action, int) for action in head["actions"])
    ):
        raise InvalidInput("these bytes are not a match")
    return head


def read_match(match_type: type[M], variant: Variant, data: bytes, compiled: bool) -> M:
    """The match of these bytes. Raises if they are none, or of other rules."""
    if not isinstance(data, bytes | bytearray):
        raise InvalidInput("these are no bytes of a match: hand over what match.to_bytes() gave")
    line, _, packed = data.partition(b"\n")
    head = _read_head(line)
    try:
        rest = zlib.decompress(packed)
    except zlib.error:
        raise InvalidInput("these bytes are not a whole match") from None
    if head["fingerprint"] != variant.fingerprint():
        raise RulesChanged(f"this match was played by other rules than {variant.name} has now")
    luck = {name: head[name] for name in ("seed", "deal", "seating")}
    match = match_type(variant, head["players"], **luck, compiled=compiled)
    match.actions = head["actions"]
    match.earlier_actions = head["earlier_actions"]
    match._befores = [match._states.copy() for _ in match.actions]
    match._decision = head["decision"]
    parts = _list_parts(match)
    if len(rest) != sum(part.nbytes for part in parts):
        raise InvalidInput("these bytes are not a whole match")
    for part in parts:
        part[...] = np.frombuffer(rest[: part.nbytes], part.dtype).reshape(part.shape)
        rest = rest[part.nbytes :]
    return match
