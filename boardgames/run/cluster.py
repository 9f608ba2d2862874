"""More than one machine: the workers of a Dask cluster play, this process stores. The rows are the same as
from threads.

A batch is a task: a few numbers go out, its rows come back as Arrow. Each worker has one task to play and one
waiting, so that neither the scheduler nor this process ever holds much. If a worker dies, Dask gives its
batches to another. A worker plays only after it has shown that it has the same versions and fingerprints, and
each of its answers is checked (boardgames.run.answers): the first wrong one is its last.
"""

import functools
import logging
import queue
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, NamedTuple

from boardgames.agents.seating import find_line_up
from boardgames.errors import BoardgamesError, ClusterError, InvalidInput, NotTrusted
from boardgames.game.plugins import check_no_files, find_address, find_trusted_game
from boardgames.game.spec import validate_values
from boardgames.game.variant import Variant
from boardgames.interrupt import StopRequest
from boardgames.plan.cell import PlannedCell
from boardgames.plan.plan import Plan
from boardgames.plan.played import PlayedDeals, environment_versions
from boardgames.play.batch import make_scratch, warm_up
from boardgames.run.answers import SpotChecks, WrongAnswer, pack_answer, unpack_answer
from boardgames.run.work import MissingRanges, Span, WorkQueue

BATCH_SECONDS, BATCH_MATCHES = 1.0, 65_536  # long enough to hide what a task costs, small enough to travel
CONNECT_SECONDS = 3
POLL_SECONDS = 1.0  # between two looks at who is there
FIRST_PATIENCE = 30.0  # seconds to wait for a first worker
PATIENCE = 60.0  # seconds to wait for another one after all are gone
GRACE = 3.0  # seconds to wait for late answers
NO_SCHEDULER = (
    "the scheduler has gone, or has given up this run; what is finished is stored. The same command goes on"
)
NEEDS_EXTRA = "a cluster needs the extra 'cluster': pip install 'boardgames[cluster]'"


@contextmanager
def connect(address: str) -> Iterator[Any]:
    """A client of the scheduler at an address, without Dask's own messages."""
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise InvalidInput(NEEDS_EXTRA) from None
    _check_address(address)
    _silence_dask()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about other versions: we report those for each worker
        try:
            client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            kind = ClusterError if isinstance(error, OSError) else InvalidInput
            raise kind(
                f"no scheduler answers at '{address}' ({str(error) or type(error).__name__}). "
                "Start one with `dask scheduler`, also to try it on this machine"
            ) from None
    with client:
        yield client


def _check_address(address: str) -> None:
    """Before a client is made: one with a bad address leaves a traceback when it is thrown away."""
    from distributed.comm.addressing import parse_address, parse_host_port
    from distributed.comm.registry import get_backend
    from distributed.security import Security

    try:
        scheme, location = parse_address(address)
        get_backend(scheme).get_connector()
        parse_host_port(location)[0].encode("idna")  # as the system looks it up
    except (ValueError, TypeError):  # TypeError: a kind of address that Dask only has the name of
        raise InvalidInput(
            f"'{address}' is not the address of a scheduler; write tcp://scheduler:8786"
        ) from None
    if scheme == "tls" and Security().get_connection_args("client")["ssl_context"] is None:
        raise InvalidInput(
            f"'{address}': the settings of Dask name no certificate; set one up, or use tcp://"
        )


def _silence_dask() -> None:
    """Silence Dask's log about workers that come and go: we report them in our own words."""
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def explain_gone_workers(error: BaseException) -> str | None:
    """What Dask says where every worker that had a task was lost; None for another error."""
    from distributed import KilledWorker

    if isinstance(error, CancelledError):
        return "the workers that had them are gone, or the scheduler is"
    if not isinstance(error, KilledWorker):
        return None
    return f"the workers that had them are gone, the last one was {error.last_worker.address}"


# ---- on a worker


class CellSpec(NamedTuple):
    """All that a worker needs to make a cell, and the ids to check it by. It has all values: no file is read
    for it.
    """

    game: str  # installed on the worker, or named on its command line
    variant: str
    values: Mapping[str, Any]
    line_up: str
    players: int
    seed: int
    fingerprint: str
    id: int


_CELLS: dict[int, PlannedCell] = {}
_SCRATCHES = threading.local()


def make_cell(spec: CellSpec) -> PlannedCell:
    """The cell, by the rules of this worker. Raises if they differ from those of the spec."""
    if spec.id not in _CELLS:
        variant = _make_variant(spec)
        cell = PlannedCell(variant, find_line_up(spec.line_up, spec.players, variant.game), spec.seed)
        if cell.id != spec.id:
            fingerprint = variant.fingerprint()
            rules = f"rules of {variant.name} have the fingerprint {fingerprint}, not {spec.fingerprint}"
            agents = f"engine, or its agents {spec.line_up}, are not the ones here"
            raise InvalidInput(f"its {agents if fingerprint == spec.fingerprint else rules}")
        _CELLS[spec.id] = cell
    return _CELLS[spec.id]


def _make_variant(spec: CellSpec) -> Variant:
    game, _ = find_trusted_game(spec.game)
    check_no_files(game, spec.values, spec.game)
    return Variant(
        game, spec.variant, validate_values(game.name, game.parameters, spec.values, game.player_counts)
    )


def find_worker_problem(specs: list[CellSpec], ours: Mapping[str, str]) -> str | None:
    """Why this worker would not play the same matches; None if it would."""
    theirs = environment_versions()
    differences = [f"{name} {theirs[name]}, not {ours[name]}" for name in ours if theirs[name] != ours[name]]
    if differences:
        return f"it has {', '.join(differences)}"
    try:
        for spec in specs:
            make_cell(spec)
    except NotTrusted as error:
        return (
            f"{spec.variant}: {error.reason}: start it with `--preload boardgames.run.worker {error.option}`"
        )
    except BoardgamesError as error:
        return str(error)
    return None


def read_worker_problem(answer: Any) -> str | None:
    """What a worker has answered to `find_worker_problem`. One without our package cannot even be asked."""
    error = answer.exception()
    return f"it cannot run boardgames: {type(error).__name__}: {error}" if error else answer.result()


def play_span(spec: CellSpec, span: Span) -> tuple[bytes, bytes, float]:
    """Play some deals; returns the tables `match` and `seat` of them as Arrow, in bytes, and the seconds that
    playing took.
    """
    from boardgames.store.write import make_rows

    cell = make_cell(spec)
    if getattr(_SCRATCHES, "cell", None) != spec.id:
        warm_up(cell.runner)
        _SCRATCHES.cell = spec.id
        _SCRATCHES.scratch = make_scratch(cell.variant.game, cell.line_up)
    started = time.perf_counter()
    batch = cell.runner.run(span.first, span.deals, _SCRATCHES.scratch)
    seconds = time.perf_counter() - started
    return pack_answer(make_rows(PlayedDeals(cell, span.first, span.deals, batch, seconds)), seconds)


# ---- in this process


class ClusterWorkers:
    """The workers of a cluster, as a WorkerPool."""

    def __init__(
        self, client: Any, plan: Plan, missing: MissingRanges, on_warning: Callable[[str], None]
    ) -> None:
        self.client = client
        self.on_warning = on_warning
        self.work = WorkQueue(plan, missing, BATCH_SECONDS, BATCH_MATCHES)
        self.specs = {cell_id: make_cell_spec(cell) for cell_id, cell in self.work.cells.items()}
        self.threads: dict[str, int] = {}  # of the workers that fit, by address
        self.refused: dict[str, str] = {}  # why, by address
        self.distrusted: set[str] = set()  # those of them that have given a wrong answer
        self.checks = SpotChecks(self.work.cells)
        self.pending: dict[str, Any] = {}  # workers that have not answered yet
        self.running: dict[Any, tuple[Span, set[str]]] = {}  # with the workers that may play it
        self.done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.polled = 0.0
        self.failure: BoardgamesError | None = None
        self._wait_for_first_worker()

    def _wait_for_first_worker(self) -> None:
        """Wait for a worker that fits, and a little for the others' answers. Raises if none fits."""
        started = time.monotonic()
        while time.monotonic() - started < (GRACE if self.threads else FIRST_PATIENCE):
            self._update_workers()
            if not self.pending and (self.threads or self.refused):
                break
            time.sleep(0.05)
        if not self.threads:
            reasons = "; ".join(f"{worker}: {reason}" for worker, reason in self.refused.items())
            address = self.client.scheduler.address
            command = f"dask worker {address} --nworkers 4 --nthreads 1"
            message = f"the scheduler at {address} has no workers. Start some: {command}"
            raise (
                InvalidInput(f"no worker of {address} can play this. {reasons}")
                if reasons
                else ClusterError(message)
            )

    def _update_workers(self) -> None:
        """Ask new workers whether they fit, take their answers, and drop workers that are gone."""
        alive = self.client.nthreads()
        self.threads = {worker: count for worker, count in self.threads.items() if worker in alive}
        for worker in alive.keys() - self.threads.keys() - self.refused.keys() - self.pending.keys():
            ask = functools.partial(
                self.client.submit, find_worker_problem, list(self.specs.values()), environment_versions()
            )
            self.pending[worker] = ask(workers=[worker], pure=False)
        for worker, answer in list(self.pending.items()):
            if worker not in alive or answer.done():
                del self.pending[worker]
            if worker in alive and answer.done():
                self._admit_or_refuse(worker, alive[worker], answer)
        self.polled = time.monotonic()

    def _admit_or_refuse(self, worker: str, threads: int, answer: Any) -> None:
        if problem := read_worker_problem(answer):
            self.refused[worker] = problem
            self.on_warning(f"the worker {worker} is left out: {problem}")
        else:
            self.threads[worker] = threads

    def play(self, stop: StopRequest) -> Iterator[list[PlayedDeals]]:
        last_seen = time.monotonic()
        while not self.failure:
            if stop.is_set():
                yield from self._collect_last()
                return
            if time.monotonic() - self.polled > POLL_SECONDS:
                try:
                    self._update_workers()
                except OSError:
                    self.failure = ClusterError(NO_SCHEDULER)
                self._resubmit_orphans()
            last_seen = time.monotonic() if self.threads else last_seen
            if time.monotonic() - last_seen > PATIENCE:
                message = f"all workers have been gone for {PATIENCE:.0f} s"
                self.failure = ClusterError(
                    f"{message}; what is finished is stored. The same command goes on"
                )
            self._hand_out()
            if not self.running and not self.work.ranges:
                return
            yield self._collect(0.2)

    def _hand_out(self) -> None:
        """One batch to play and one waiting for every thread."""
        window = 2 * sum(self.threads.values())
        workers = set(self.threads)
        while len(self.running) < window and (span := self.work.next()):
            self._submit(span, workers)

    def _submit(self, span: Span, workers: set[str]) -> None:
        future = self.client.submit(
            play_span, self.specs[span.cell], span, workers=sorted(workers), pure=False, retries=2
        )
        self.running[future] = span, workers
        future.add_done_callback(self.done.put)

    def _resubmit_orphans(self) -> None:
        """Submit batches again whose workers are all gone: they would wait for ever."""
        if self.threads:
            for future, (span, workers) in list(self.running.items()):
                if not workers & self.threads.keys():
                    del self.running[future]
                    future.cancel()
                    self._submit(span, set(self.threads))

    def _collect(self, patience: float) -> list[PlayedDeals]:
        """The batches that have arrived; at most 16 at a time, to limit the memory used here."""
        parts: list[PlayedDeals] = []
        try:
            parts += self._take_result(self.done.get(timeout=patience))
            while len(parts) < 16:
                parts += self._take_result(self.done.get_nowait())
        except queue.Empty:
            pass
        return parts

    def _take_result(self, future: Any) -> list[PlayedDeals]:
        if future not in self.running:
            return []  # cancelled meanwhile
        span, _ = self.running[future]
        if future.status != "finished":
            del self.running[future]
            self.failure = self._explain_failure(span, future)
            return []
        try:
            answer = self._read_result(future)
            worker = "".join(self.client.who_has([future])[future.key][:1])
        except TimeoutError:  # its worker has died with the result: another one plays it again
            self.done.put(future)
            return []
        except (CancelledError, OSError):
            self.failure = ClusterError(NO_SCHEDULER)
            return []
        del self.running[future]
        future.release()
        return self._check_answer(worker, span, answer)

    def _read_result(self, future: Any) -> Any:
        """What a worker has answered, or the error that reading it raises."""
        try:
            return future.result(timeout=GRACE)
        except (TimeoutError, CancelledError):
            raise
        except Exception as error:
            return error

    def _check_answer(self, worker: str, span: Span, answer: Any) -> list[PlayedDeals]:
        """The deals of a span, if they are what was asked for; if not, its worker plays no more."""
        if not worker or worker in self.distrusted:  # one that has gone meanwhile cannot be named
            self.work.put_back([span])
            return []
        try:
            rows, seconds = unpack_answer(answer, self.work.cells[span.cell], span)
            self.checks.check(worker, span, rows)
        except WrongAnswer as problem:
            self.work.put_back([span])
            self._distrust(worker, str(problem))
            return []
        return [self.work.record_span(span, rows, seconds, worker)]

    def _distrust(self, worker: str, problem: str) -> None:
        """Take nothing more from a worker. Others play what it had to play, and what is not stored of it."""
        self.threads.pop(worker, None)
        self.distrusted.add(worker)
        self.refused[worker] = problem
        self.on_warning(
            f"the worker {worker} is left out: {problem}. Others play its matches again that are not stored "
            "yet; `boardgames verify` checks those that are"
        )
        for future, (span, workers) in list(self.running.items()):
            if worker in workers:
                del self.running[future]
                future.cancel()
                self.work.put_back([span])
        if not self.threads and not self.pending:
            reasons = "; ".join(f"{worker}: {reason}" for worker, reason in self.refused.items())
            self.failure = ClusterError(
                f"no worker is left that can play this. {reasons}. The same command goes on with others"
            )

    def _explain_failure(self, span: Span, future: Any) -> BoardgamesError:
        variant = self.work.cells[span.cell].variant
        deals_text = f"deals {span.first} to {span.first + span.deals - 1} of {variant.name}"
        if future.status != "error":
            return ClusterError(NO_SCHEDULER)
        error = future.exception()
        if gone := explain_gone_workers(error):
            return ClusterError(f"{deals_text} could not be played: {gone}; what is finished is stored")
        return InvalidInput(
            f"{deals_text} could not be played, {type(error).__name__}: {error}. What is finished is stored"
        )

    def _collect_last(self) -> Iterator[list[PlayedDeals]]:
        """After a request to stop: take what arrives in the next seconds, and cancel the rest."""
        end = time.monotonic() + GRACE
        while self.running and time.monotonic() < end and not self.failure:
            yield self._collect(0.1)
        for future in list(self.running):
            future.cancel()
        self.running.clear()


def make_cell_spec(cell: PlannedCell) -> CellSpec:
    game, line_up = cell.variant.game, ",".join(agent.name for agent in cell.line_up)
    values = {p.name: p.inline_file(cell.variant.values[p.name]) for p in game.parameters}
    fingerprint = cell.variant.fingerprint()
    return CellSpec(
        find_address(game), cell.variant.name, values, line_up, cell.players, cell.seed, fingerprint, cell.id
    )
