"""Commands about games and variants themselves: list, show, new, check, watch, train."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames.cli.app import Group, Terminal, make_console, print_json, print_warning, show_status
from boardgames.cli.command_line import format_command_line, format_install, format_program
from boardgames.cli.options import CORES, AllPlayers, Cluster, Json, Spec, Workers, check_finite, trust_agents

if TYPE_CHECKING:
    from boardgames.game.variant import Variant
    from boardgames.train.train import TrainOptions

TRAINING_SEED = (
    7_000_000  # far from what people type: a player is not tested on the luck that it learned from
)


@Group.YOUR_GAME.command("list")
def list_games(json: Json = False) -> None:
    """List games, variants and agents.

    Example: boardgames list
    """
    from boardgames.tools import catalogue as listing

    if json:
        print_json(listing.describe_everything(print_warning))
        return
    for part in listing.show_everything(print_warning):
        make_console().print(part)


@Group.YOUR_GAME.command()
def show(
    variant: Spec,
    svg: Annotated[
        Path | None, typer.Option(help="SVG file to draw the board into, as it is set up.")
    ] = None,
    players: Annotated[int | None, typer.Option(help="Number of players in the picture.")] = None,
    json: Json = False,
) -> None:
    """Explain one variant.

    Its parameters, what differs from the default, and what is reconstructed.

    Example: boardgames show celtica:en
    """
    from boardgames.files import write_file
    from boardgames.game.plugins import find_variant
    from boardgames.tools import catalogue as listing

    if svg:
        write_file(svg, listing.draw_setup(variant, players))
    if json:
        print_json(listing.describe_variant(find_variant(variant)))
        return
    for part in listing.show_variant(variant):
        make_console().print(part)
    if svg:
        typer.echo(f"drew {svg}")


@Group.YOUR_GAME.command()
def new(
    name: Annotated[str, typer.Argument(help="The name of the game: small letters, digits, - and _.")],
    derive: Annotated[str, typer.Option(help="Start from this game and change one of its rules.")] = "",
) -> None:
    """Create a game package, complete and playable.

    Example: boardgames new mygame
    """
    from boardgames.tools.scaffold import create_game

    for path in create_game(name, derive):
        typer.echo(f"  {path}")
    typer.echo(f"Next: {format_install(name)}")
    typer.echo(f"      {format_program()} check {name}")
    typer.echo(f"      {format_program()} {f'compare {derive}' if derive else 'play'} {name}")


Matches = Annotated[int, typer.Option(min=1, help="Random matches to check, per variant and player count.")]
Plain = Annotated[bool, typer.Option("--plain", help="Check without the compiler.")]


@Group.YOUR_GAME.command()
def check(game: Spec, matches: Matches = 3, plain: Plain = False) -> None:
    """Check that a game is implemented correctly.

    It tests all laws that a game must keep. The exit code is 1 if one is broken.

    Example: boardgames check ./mine.py:MINE
    """
    from boardgames.game.plugins import find_variant
    from boardgames.tools.check import LawBroken, check_game

    variant = find_variant(game)
    also = [variant] if variant.changes() else []
    advice: list[str] = []
    with show_status(f"checking {variant.game.name}", piped=True) as on_progress:
        try:
            passed = check_game(
                variant.game,
                also=also,
                compiled=not plain,
                matches=matches,
                on_progress=on_progress,
                on_compile=lambda passed: _print_passed_laws(variant.game.name, passed),
                on_advice=advice.append,
            )
        except LawBroken as broken:
            typer.echo(f"boardgames: {broken}", err=True)
            raise typer.Exit(1) from None
    if not Terminal.quiet:
        left_out = ", without the compiler" if plain else ""
        typer.echo(f"{variant.game.name} keeps all {len(passed)} laws{left_out}")
        for sentence in advice:
            typer.echo(f"Note: {sentence}", err=True)


def _print_passed_laws(game: str, passed: list[str]) -> None:
    """A first answer, before the wait for the compiler."""
    if not Terminal.quiet:
        typer.echo(f"{game} keeps the {len(passed)} laws that need no compiler; the others follow", err=True)


@Group.YOUR_GAME.command()
def watch(game: Spec, matches: Matches = 3, plain: Plain = False) -> None:
    """Check a game again at every save of its files, until Ctrl-C.

    Example: boardgames watch ./mine.py:MINE
    """
    from boardgames.tools.watch import watch_game

    options = ["--matches", str(matches), *(["--plain"] if plain else [])]
    watch_game(game, options, Terminal.quiet, lambda line: typer.echo(line, err=True))


@Group.YOUR_GAME.command()
def train(
    variant: Spec,
    players: AllPlayers = "",
    output: Annotated[
        Path | None, typer.Option(help="File of the trained player (default: GAME.learned here).")
    ] = None,
    teacher: Annotated[
        str, typer.Option(callback=trust_agents, help="The search agent that it learns from.")
    ] = "mcts:256",
    labels: Annotated[
        int, typer.Option(min=100, help="Decisions to learn from, at most, for each player count.")
    ] = 240_000,
    minutes: Annotated[
        float | None,
        typer.Option(
            min=0.01, callback=check_finite, help="Minutes for each player count (default: no limit)."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Number that all shuffles and dice of the training follow from.")
    ] = TRAINING_SEED,
    workers: Workers = CORES,
    cluster: Cluster = "",
) -> None:
    """Train a strong, fast player for a game.

    It learns from a search and is kept if it beats greedy. After a stop, the same command goes on. It exits
    with 3 if --minutes are over before there is a player.

    Example: boardgames train mygame --players 2-4
    """
    from boardgames.agents.agent import EVALUATION
    from boardgames.game.player_counts import parse_player_counts
    from boardgames.game.plugins import find_variant
    from boardgames.train.clock import OutOfTime
    from boardgames.train.train import NotStronger, TrainOptions, check_request

    chosen = find_variant(variant)
    path = output or Path(f"{chosen.game.name}.learned")
    counts = parse_player_counts(players) or chosen.game.player_counts
    options = TrainOptions(
        teacher=teacher, labels=labels, minutes=minutes, seed=seed, workers=workers, cluster=cluster
    )
    for count in counts:
        chosen.make_blank_state(count)
        check_request(chosen, count, path, options)
    failures: dict[int, int] = {}  # exit codes, by player count
    for count in counts:
        try:
            _train_for_count(chosen, count, path, options)
        except (NotStronger, OutOfTime) as error:  # the other player counts may still get their player
            print_warning(str(error))
            failures[count] = error.exit_code
    if len(failures) < len(counts):
        trained = ",".join(str(count) for count in counts if count not in failures)
        words = ["simulate", variant, "--players", trained, "--agents", f"learned:{path}"]
        typer.echo(f"Next: {shlex.join(['boardgames', *words])}")
    if (evaluation := path.with_suffix(EVALUATION)).is_file():
        agent = shlex.quote(f"learned-mcts:256+weights={evaluation}")
        typer.echo(f"The search it learned from: --agents {agent}")
    if failures:
        raise typer.Exit(min(failures.values()))


def _train_for_count(variant: "Variant", players: int, path: Path, options: "TrainOptions") -> None:
    """Train a player and print how strong it is."""
    from boardgames.train.folder import find_folder
    from boardgames.train.train import train_player

    try:
        with show_status("training", piped=True) as on_progress:
            options = replace(options, on_progress=on_progress, on_warning=print_warning)
            trained = train_player(variant, players, path, options)
    except KeyboardInterrupt:
        folder = find_folder(path, players)
        kept = f"what was played is kept in {folder}. " if folder.is_dir() else ""
        typer.echo(f"boardgames: stopped; {kept}To go on: {format_command_line()}", err=True)
        raise typer.Exit(130) from None
    last = trained.net.log[-1]
    typer.echo(
        f"{variant.name} with {players} players: it wins {last['share']:.1%} "
        f"({last['low']:.1%} to {last['high']:.1%}) against greedy, where {100 / players:.3g}% is fair"
    )
    if not Terminal.quiet:
        typer.echo(trained.advice)
