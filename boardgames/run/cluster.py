"""Beyond one machine: the workers of a Dask cluster play, this process stores. The same rows as from threads.

A batch is a task: a few numbers go out, its rows come back as Arrow. Only so many are under way that every worker has one to play
and one waiting, so that neither the scheduler nor this process ever holds much. A worker that dies costs the batches it had: Dask
gives them to another. Nobody plays before it has shown that it would play the same: same versions, same fingerprints.
"""

import functools
import logging
import queue
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from boardgames.agents.agent import find_line_up
from boardgames.errors import BadInput, ClusterGone
from boardgames.experiment.plan import Plan, PlannedCell, Played, Rows, circumstances
from boardgames.game import spec as specs
from boardgames.game.plugins import NotTrusted, known_game, place_of, refuse_files
from boardgames.game.variant import Variant
from boardgames.interrupt import Stop
from boardgames.play.batch import make_desk, warm_up
from boardgames.run.crew import Missing, Span, Work

BATCH_SECONDS, BATCH_MATCHES = 1.0, 65_536  # long enough to hide what a task costs, small enough to travel
CONNECT_SECONDS = 3
LOOK_SECONDS = 1.0  # between two looks at who is there
FIRST_PATIENCE, PATIENCE, GRACE = 30.0, 60.0, 3.0  # seconds to wait: for a first worker, for another one, for who is late
NO_SCHEDULER = "the scheduler has gone, or has given up this run; what is finished is stored. The same command goes on"
MISSING = "a cluster needs the extra 'cluster': pip install 'boardgames[cluster]'"


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the scheduler at an address, with Dask's own messages kept to errors."""
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise BadInput(MISSING) from None
    _hush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about other versions: that is told worker by worker
        try:
            client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            kind = ClusterGone if isinstance(error, OSError) else BadInput
            raise kind(
                f"no scheduler answers at '{address}' ({str(error) or type(error).__name__}). "
                "Start one with `dask scheduler`, or `boardgames cluster local` to try it on this machine"
            ) from None
    with client:
        yield client


def _hush() -> None:
    """What Dask logs about workers that come and go is told in our own words."""
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


# ---- on a worker


class Recipe(NamedTuple):
    """How a worker makes a cell, and what it must come to. It names a game and has all values: no file is read for it."""

    game: str  # installed on the worker, or named on its command line
    variant: str
    values: Mapping[str, Any]
    line_up: str
    players: int
    seed: int
    fingerprint: str
    id: int


_CELLS: dict[int, PlannedCell] = {}
_DESKS = threading.local()


def _made(recipe: Recipe) -> PlannedCell:
    """The cell, from the rules that this worker has; refused if they are not the ones that were asked for."""
    if recipe.id not in _CELLS:
        variant = _variant(recipe)
        cell = PlannedCell(variant, find_line_up(recipe.line_up, recipe.players, variant.game), recipe.seed)
        if cell.id != recipe.id:
            rules = f"rules of {variant.name} have the fingerprint {variant.fingerprint()}, not {recipe.fingerprint}"
            agents = f"engine, or its agents {recipe.line_up}, are not the ones here"
            raise BadInput(f"its {agents if variant.fingerprint() == recipe.fingerprint else rules}")
        _CELLS[recipe.id] = cell
    return _CELLS[recipe.id]


def _variant(recipe: Recipe) -> Variant:
    game, _ = known_game(recipe.game)
    refuse_files(game, recipe.values, recipe.game)
    return Variant(game, recipe.variant, specs.checked(game.name, game.parameters, recipe.values, game.players))


def unfit(recipes: list[Recipe], ours: Mapping[str, str]) -> str:
    """Why this worker would not play the same, or nothing."""
    theirs = circumstances()
    other = [f"{name} {theirs[name]}, not {ours[name]}" for name in ours if theirs[name] != ours[name]]
    if other:
        return f"it has {', '.join(other)}"
    try:
        for recipe in recipes:
            _made(recipe)
    except NotTrusted as error:
        return f"{recipe.variant}: {error.why}: start it with `--preload boardgames.run.worker {error.option}`"
    except BadInput as error:
        return str(error)
    return ""


def play_span(recipe: Recipe, span: Span) -> tuple[Rows, float]:
    """Some blocks as Arrow, and the seconds that playing them took."""
    from boardgames.store.rows import as_rows

    cell = _made(recipe)
    if getattr(_DESKS, "cell", None) != recipe.id:
        warm_up(cell.table)
        _DESKS.cell, _DESKS.desk = recipe.id, make_desk(cell.variant.game, cell.line_up)
    started = time.perf_counter()
    batch = cell.table.play(span.first, span.blocks, _DESKS.desk)
    seconds = time.perf_counter() - started
    return as_rows(Played(cell, span.first, span.blocks, batch, seconds)), seconds


# ---- here


class Workers:
    """The crew of a cluster."""

    def __init__(self, client: Any, plan: Plan, missing: Missing, say: Callable[[str], None]) -> None:
        self.client, self.say = client, say
        self.work = Work(plan, missing, BATCH_SECONDS, BATCH_MATCHES)
        self.recipes = {number: _recipe(cell) for number, cell in self.work.cells.items()}
        self.threads: dict[str, int] = {}  # of the workers that fit, by address
        self.refused: dict[str, str] = {}  # why, by address
        self.asked: dict[str, Any] = {}  # workers that have not answered yet
        self.running: dict[Any, tuple[Span, set[str]]] = {}  # with the workers that may play it
        self.done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.looked = 0.0
        self.lost: BadInput | None = None
        self._find_first()

    def _find_first(self) -> None:
        """Wait for a worker that fits, and a little for the answers of the others; say why there is none."""
        started = time.monotonic()
        while time.monotonic() - started < (GRACE if self.threads else FIRST_PATIENCE):
            self._look_round()
            if not self.asked and (self.threads or self.refused):
                break
            time.sleep(0.05)
        if not self.threads:
            here = "; ".join(f"{worker}: {why}" for worker, why in self.refused.items())
            address = self.client.scheduler.address
            none = f"the scheduler at {address} has no workers. Start some: dask worker {address} --nworkers 4 --nthreads 1"
            raise BadInput(f"no worker of {address} can play this. {here}") if here else ClusterGone(none)

    def _look_round(self) -> None:
        """Who is there now? Ask those who came what they would play, and forget those who went."""
        alive = self.client.nthreads()
        self.threads = {worker: many for worker, many in self.threads.items() if worker in alive}
        for worker in alive.keys() - self.threads.keys() - self.refused.keys() - self.asked.keys():
            ask = functools.partial(self.client.submit, unfit, list(self.recipes.values()), circumstances())
            self.asked[worker] = ask(workers=[worker], pure=False)
        for worker, answer in list(self.asked.items()):
            if worker not in alive or answer.done():
                del self.asked[worker]
            if worker in alive and answer.done():
                self._judge(worker, alive[worker], answer)
        self.looked = time.monotonic()

    def _judge(self, worker: str, threads: int, answer: Any) -> None:
        error = answer.exception()  # a worker without our package cannot even be asked
        why = f"it cannot run boardgames: {type(error).__name__}: {error}" if error else answer.result()
        if why:
            self.refused[worker] = why
            self.say(f"the worker {worker} is left out: {why}")
        else:
            self.threads[worker] = threads

    def play(self, stopped: Stop) -> Iterator[list[Played]]:
        seen = time.monotonic()
        while not self.lost:
            if stopped.is_set():
                yield from self._finish()
                return
            if time.monotonic() - self.looked > LOOK_SECONDS:
                try:
                    self._look_round()
                except OSError:
                    self.lost = ClusterGone(NO_SCHEDULER)
                self._rescue()
            seen = time.monotonic() if self.threads else seen
            if time.monotonic() - seen > PATIENCE:
                gone = f"all workers have been gone for {PATIENCE:.0f} s"
                self.lost = ClusterGone(f"{gone}; what is finished is stored. The same command goes on")
            self._hand_out()
            if not self.running:
                return
            yield self._arrived(0.2)

    def _hand_out(self) -> None:
        """One batch to play and one waiting for every thread."""
        window, crew = 2 * sum(self.threads.values()), set(self.threads)
        while len(self.running) < window and (span := self.work.next()):
            self._submit(span, crew)

    def _submit(self, span: Span, crew: set[str]) -> None:
        future = self.client.submit(play_span, self.recipes[span.cell], span, workers=sorted(crew), pure=False, retries=2)
        self.running[future] = span, crew
        future.add_done_callback(self.done.put)

    def _rescue(self) -> None:
        """Batches for workers that are all gone would wait for ever: those who are here now may play them."""
        if self.threads:
            for future, (span, crew) in list(self.running.items()):
                if not crew & self.threads.keys():
                    del self.running[future]
                    future.cancel()
                    self._submit(span, set(self.threads))

    def _arrived(self, patience: float) -> list[Played]:
        """What has come in; at most a few batches at a time, so that not too much is held here."""
        found: list[Played] = []
        try:
            found += self._taken(self.done.get(timeout=patience))
            while len(found) < 16:
                found += self._taken(self.done.get_nowait())
        except queue.Empty:
            pass
        return found

    def _taken(self, future: Any) -> list[Played]:
        if future not in self.running:
            return []  # taken back meanwhile
        span, _ = self.running[future]
        if future.status != "finished":
            del self.running[future]
            self.lost = self._failure(span, future)
            return []
        try:
            batch, seconds = future.result(timeout=GRACE)
        except TimeoutError:  # its worker has died with it: somebody plays it again
            self.done.put(future)
            return []
        del self.running[future]
        future.release()
        return [self.work.played(span, batch, seconds)]

    def _failure(self, span: Span, future: Any) -> BadInput:
        where = f"blocks {span.first} to {span.first + span.blocks - 1} of {self.work.cells[span.cell].variant.name}"
        if future.status != "error":
            return ClusterGone(NO_SCHEDULER)
        error = future.exception()
        return BadInput(f"{where} could not be played, {type(error).__name__}: {error}. What is finished is stored")

    def _finish(self) -> Iterator[list[Played]]:
        """Asked to stop: take what comes in the next moments, give up the rest."""
        end = time.monotonic() + GRACE
        while self.running and time.monotonic() < end and not self.lost:
            yield self._arrived(0.1)
        for future in list(self.running):
            future.cancel()
        self.running.clear()


def _recipe(cell: PlannedCell) -> Recipe:
    game, line_up = cell.variant.game, ",".join(agent.name for agent in cell.line_up)
    values = {p.name: p.without_file(cell.variant.values[p.name]) for p in game.parameters}
    print_ = cell.variant.fingerprint()
    return Recipe(place_of(game), cell.variant.name, values, line_up, cell.players, cell.seed, print_, cell.id)


@contextmanager
def local(workers: int, port: int, games: Sequence[str] = ()) -> Iterator[Any]:
    """A scheduler and some workers on this machine, as separate processes with one thread each; they know these games, too."""
    try:
        from distributed import LocalCluster
    except ModuleNotFoundError:
        raise BadInput(MISSING) from None
    _hush()
    asked: dict[str, Any] = {"n_workers": workers, "threads_per_worker": 1, "scheduler_port": port, "host": "127.0.0.1"}
    asked |= {"preload": ["boardgames.run.worker"], "preload_argv": [word for game in games for word in ("--game", game)]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the port of Dask's own pages
        try:
            cluster = LocalCluster(dashboard_address=None, **asked)
        except (OSError, RuntimeError):
            raise BadInput(f"cannot start a cluster on port {port}: it is in use. --port 0 takes any that is free") from None
    with cluster:
        yield cluster
