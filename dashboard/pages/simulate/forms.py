"""What Simulate asks for: matches, a sweep, a fix or a trained player, with the options of the command."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import streamlit as st

from dashboard.data.file import Contents
from dashboard.data.requests import (
    CommandRequest,
    FixRequest,
    SimulationRequest,
    SweepRequest,
    TrainRequest,
)
from dashboard.data.variant_names import list_plain_names_first, list_variant_names
from dashboard.page import Control

USUAL_AGENT = "learned, else greedy"
USUAL_HELP = "Empty: learned where the game has a net for the player count, else greedy."
PLAYERS_HELP = "3, 2-4 or 2,4; empty: what the command takes by default"
NEW_NAMES = (
    "Choose, or type any name: celtica:en+hand_size=6. +name=value sets a parameter."
    " Games that are not installed are named where the dashboard is started: --game ./mine.py:MINE."
)


@dataclass(frozen=True)
class TaskForm(Control[CommandRequest | None]):
    """The options of a command; None until the reader asks for the estimate."""

    contents: Contents
    about: ClassVar[str] = ""

    def ask(self) -> CommandRequest | None:
        st.markdown(self.about)
        with st.form(f"simulate {type(self).__name__}"):
            request = self._ask_request()
            is_pressed = st.form_submit_button("Estimate", type="primary", icon=":material/timer:")
        return request if is_pressed else None

    @abstractmethod
    def _ask_request(self) -> CommandRequest: ...

    def _ask_variant(self, key: str) -> str:
        chosen = st.selectbox(
            "Variant",
            list_plain_names_first(self.contents),
            accept_new_options=True,
            filter_mode="prefix",
            key=key,
            persist_state="session",
            help=NEW_NAMES,
        )
        return str(chosen or "")


@dataclass(frozen=True)
class MatchesForm(TaskForm):
    about: ClassVar[str] = "The same as `boardgames simulate`: what is stored already is not played again."

    def _ask_request(self) -> SimulationRequest:
        variants = self._ask_variants()
        left, middle, right = st.columns(3)
        players = left.text_input(
            "Players",
            "",
            placeholder="all",
            help="3, 2-4 or 2,4; empty: all that the game allows",
            key="play players",
            persist_state="session",
        )
        agents = middle.text_input(
            "Agents",
            "",
            placeholder=USUAL_AGENT,
            help=f"A line-up: greedy, or one agent per seat. Several, separated by spaces. {USUAL_HELP}",
            key="play agents",
            persist_state="session",
        )
        matches = right.number_input(
            "Matches",
            1,
            10_000_000,
            1000,
            step=1000,
            help="Of each variant, player count and line-up; rounded up to whole deals.",
            key="play matches",
            persist_state="session",
        )
        left, middle, right = st.columns(3)
        until = left.text_input(
            "Until (instead of a number of matches)",
            "",
            placeholder="seat share within 0.5 pp",
            help="How well to know which metrics; several, separated by semicolons.",
            key="play until",
            persist_state="session",
        )
        minutes = _ask_minutes(middle, "Minutes that Until may take", 10.0, "play minutes")
        seed = right.number_input("Seed", None, None, 1, step=1, key="play seed", persist_state="session")
        note = st.text_input(
            "Note", "", help="A line that `boardgames runs` shows.", key="play note", persist_state="session"
        )
        return SimulationRequest(
            specs=variants,
            players=players.strip(),
            agents=agents.split(),
            matches=int(matches),
            seed=1 if seed is None else int(seed),
            note=note,
            until=_split(until, ";"),
            minutes=minutes,
        )

    def _ask_variants(self) -> list[str]:
        stored = list(dict.fromkeys(info.spec for info in self.contents.variants.values()))
        return st.multiselect(
            "Variants",
            list_variant_names(self.contents),
            stored[:2],
            accept_new_options=True,
            filter_mode="prefix",
            select_all=False,  # Enter takes the name that was typed, not all that begin like it
            key="play",
            persist_state="session",
            placeholder="celtica, or celtica+hand_size=6",
            help=NEW_NAMES,
        )


@dataclass(frozen=True)
class SweepForm(TaskForm):
    about: ClassVar[str] = (
        "The same as `boardgames sweep`: tries several values of a rule and finds the best."
    )

    def _ask_request(self) -> SweepRequest:
        spec = self._ask_variant("sweep variant")
        left, right = st.columns(2)
        values = left.text_input(
            "Values to try",
            "",
            placeholder="hand_size=4..7",
            help="Several, separated by spaces, make the grid of all mixes.",
            key="sweep values",
            persist_state="session",
        )
        best = right.text_input(
            "Look for", "", placeholder="lowest seat imbalance", key="sweep best", persist_state="session"
        )
        players, agent, minutes, seed = _ask_setting("sweep", 2.0)
        return SweepRequest(
            spec=spec,
            values=values.split(),
            best=best.strip(),
            players=players,
            agent=agent,
            minutes=minutes,
            seed=seed,
        )


@dataclass(frozen=True)
class FixForm(TaskForm):
    about: ClassVar[str] = (
        "The same as `boardgames fix`: finds the smallest rule changes that reach your goals."
        " The answer is on the page *Fix*."
    )

    def _ask_request(self) -> FixRequest:
        spec = self._ask_variant("fix variant")
        left, right = st.columns(2)
        goals = left.text_input(
            "Goals",
            "",
            placeholder="length at most 60",
            help="Several, separated by semicolons.",
            key="fix goals",
            persist_state="session",
        )
        keep = right.text_input(
            "What must stay",
            "",
            placeholder="length within 10%",
            help="Several, separated by semicolons.",
            key="fix keep",
            persist_state="session",
        )
        fair_seats = left.toggle(
            "Fair seats: each within 3 pp of an equal share", key="fix fair", persist_state="session"
        )
        change = right.text_input(
            "Parameters that may change",
            "",
            placeholder="all",
            help="hand_size or hand_size=3..7; several, separated by spaces.",
            key="fix change",
            persist_state="session",
        )
        players, agent, minutes, _ = _ask_setting("fix", 5.0, has_seed=False)
        return FixRequest(
            spec=spec,
            goals=_split(goals, ";"),
            keep=_split(keep, ";"),
            fair_seats=fair_seats,
            change=change.split(),
            players=players,
            agent=agent,
            minutes=minutes,
        )


@dataclass(frozen=True)
class TrainForm(TaskForm):
    about: ClassVar[str] = (
        "The same as `boardgames train`: a strong and quick player for a game. It is written beside the"
        " result file, and kept if it beats `greedy`."
    )

    def _ask_request(self) -> TrainRequest:
        spec = self._ask_variant("train variant")
        left, middle, right = st.columns(3)
        players = left.text_input(
            "Players", "", placeholder="all", help=PLAYERS_HELP, key="train players", persist_state="session"
        )
        teacher = middle.text_input(
            "Teacher",
            "mcts:256",
            help="The search that it learns from.",
            key="train teacher",
            persist_state="session",
        )
        minutes = _ask_minutes(right, "Minutes for each player count", 10.0, "train minutes")
        return TrainRequest(spec=spec, players=players.strip(), teacher=teacher.strip(), minutes=minutes)


def _ask_setting(task: str, minutes: float, has_seed: bool = True) -> tuple[str, str, float, int]:
    """Players, agent, minutes and seed."""
    columns = st.columns(4 if has_seed else 3)
    players = columns[0].text_input(
        "Players", "", placeholder="middle", help=PLAYERS_HELP, key=f"{task} players", persist_state="session"
    )
    agent = columns[1].text_input(
        "Agent",
        "",
        placeholder=USUAL_AGENT,
        help=f"One agent for all seats. {USUAL_HELP}",
        key=f"{task} agent",
        persist_state="session",
    )
    limit = _ask_minutes(columns[2], "Minutes at most", minutes, f"{task} minutes")
    seed = (
        columns[3].number_input("Seed", None, None, 1, step=1, key=f"{task} seed", persist_state="session")
        if has_seed
        else 1
    )
    return players.strip(), agent.strip(), limit, int(1 if seed is None else seed)


def _ask_minutes(column: st.delta_generator.DeltaGenerator, label: str, default: float, key: str) -> float:
    return float(column.number_input(label, 0.05, 24 * 60.0, default, key=key, persist_state="session"))


def _split(text: str, separator: str) -> Sequence[str]:
    return [part.strip() for part in text.split(separator) if part.strip()]


FORMS: dict[str, type[TaskForm]] = {
    "Matches": MatchesForm,
    "Sweep": SweepForm,
    "Fix": FixForm,
    "Train": TrainForm,
}
