"""What somebody asks to be played, and the mistakes in it."""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from boardgames.errors import InvalidInput
from boardgames.game.player_counts import parse_player_counts
from boardgames.given_values import read_whole_number
from boardgames.play.batch import read_seed

MOST_MATCHES = 10**9  # of each cell: more than anybody plays, and few enough to count with


def read_matches(matches: int | None) -> int | None:
    """The number of matches of each cell, checked; None if none is given."""
    return None if matches is None else read_whole_number("matches", matches, 1, MOST_MATCHES)


def read_workers(workers: int) -> int:
    """The number of threads, checked."""
    return read_whole_number("workers", workers, 1)


class PlanRequest(BaseModel):
    """What somebody asked for, in the words of a plan file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    variants: list[str] = Field(min_length=1)
    players: str = ""  # all player counts that the game allows, if not said
    agents: list[str] = []  # line-ups; by default the usual agent of each player count
    matches: int | None = None  # of each cell, rounded up to whole deals; with `until`, the most
    seed: int = 1
    name: str = ""
    note: str = ""
    sweep: list[str] = []
    until: list[str] = []  # how well to know which metric, for `analytics.simulate_until`
    minutes: float | None = None  # how long `until` may take

    @field_validator("matches", "players", "seed")
    @classmethod
    def _check_value(cls, value: Any, info: ValidationInfo) -> Any:
        checks: dict[str, Callable[[Any], object]] = {
            "matches": read_matches,
            "players": parse_player_counts,
            "seed": read_seed,
        }
        try:
            checks[info.field_name or ""](value)
        except InvalidInput as error:
            raise ValueError(str(error)) from None
        return value

    @model_validator(mode="after")
    def _check_minutes(self) -> Self:
        if self.minutes is not None and not (self.until and 0 < self.minutes < math.inf):
            raise ValueError(
                "minutes, a number above 0, limit `until`; without it, matches say how much to play"
            )
        return self


class Mistake(NamedTuple):
    """A field of a request that cannot be used, and why. No field, if several do not go together."""

    field: str
    message: str


KINDS: dict[Any, str] = {
    list[str]: "a list of texts",
    str: "a text",
    int: "a whole number",
    int | None: "a whole number",
    float | None: "a number",
}


def list_mistakes(error: ValidationError, request: Mapping[str, Any]) -> list[Mistake]:
    """The mistakes that pydantic found in a request, one for each field, in sentences."""
    mistakes: dict[str, Mistake] = {}
    for details in error.errors():
        name = str(details["loc"][0]) if details["loc"] else ""
        if details["type"] == "extra_forbidden":
            message = f"there is no field '{name}'; there are: {', '.join(PlanRequest.model_fields)}"
        elif details["type"] in ("missing", "too_short"):
            message = f"{name} names at least one variant"
        elif details["type"] == "value_error":
            message = str(details["ctx"]["error"])
        else:
            kind = KINDS[PlanRequest.model_fields[name].annotation]
            message = f"{name} is {kind}, not {request[name]!r}"
        mistakes.setdefault(name, Mistake(name, message))
    return list(mistakes.values())
