"""The trained players that ship with our games: small, tested, and stronger than greedy."""

import pytest

from boardgames import Match, find_agent, find_variant, play_batch
from boardgames.agents.agent import EVALUATION, LEARNED
from boardgames.agents.weights import load_player
from boardgames.play.estimates import estimate_mean_from_sums
from tests.boardgames.agents.test_search import POSITIONS, peeking

GAMES = ("celtica", "keltis", "celtae")


def load_shipped(game, end=LEARNED):
    rules = find_variant(game).game
    return load_player(rules.learned.with_suffix(end), rules)


SHIPPED = [(game, players) for game in GAMES for players in sorted(load_shipped(game).nets)]
EVALUATED = [
    (game, players)
    for game in ("celtica", "celtae")
    for players in sorted(load_shipped(game, EVALUATION).nets)
    if (game, players) != ("celtica", 5)  # there the search by it is about as strong as greedy, see agents.md
]


@pytest.mark.parametrize("game", GAMES)
def test_all_nets_of_a_game_take_less_than_a_megabyte(game):
    learned = find_variant(game).game.learned
    assert sum(file.stat().st_size for file in learned.parent.iterdir()) < 1_000_000


@pytest.mark.parametrize(("game", "players"), SHIPPED)
def test_a_shipped_player_has_passed_its_last_test(game, players):
    last = load_shipped(game).nets[players].log[-1]
    assert last["test"] == "last"
    assert last["low"] > 1 / players


@pytest.mark.parametrize(("game", "players"), EVALUATED)
def test_a_search_by_a_shipped_evaluation_has_beaten_greedy(game, players):
    last = load_shipped(game, EVALUATION).nets[players].log[-1]
    assert last["agent"] == "learned-mcts:256"
    assert last["low"] > 1 / players


def test_every_player_count_has_a_trained_player_but_five_in_celtica():
    counts = {(game, players) for game in GAMES for players in find_variant(game).game.player_counts}
    assert counts - set(SHIPPED) == {("celtica", 5)}


@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), [("celtica", 4), ("celtae", 2)])
def test_a_learned_evaluation_makes_a_search_win_more(game, players):
    """On the same deals, which no training has seen: the difference, deal by deal."""
    variant = find_variant(game)
    greedy = [find_agent("greedy", variant.game)] * (players - 1)
    learned, plain = (
        play_batch(
            variant, [find_agent(spec, variant.game), *greedy], players, 200, seed=98, workers=2
        ).shares_by_deal()[spec]
        for spec in ("learned-mcts:32", "mcts:32")
    )
    gain = learned - plain
    assert estimate_mean_from_sums(len(gain), gain.sum(), (gain * gain).sum()).low > 0


@pytest.mark.long
def test_a_trained_player_plays_variants_of_its_game():
    match = Match(find_variant("celtica:en+hand_size=6"), 2, seed=4, compiled=True).finish("learned")
    assert match.is_over


@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), SHIPPED)
def test_a_shipped_player_beats_greedy_on_fresh_luck(game, players):
    variant = find_variant(game)
    line_up = [find_agent("learned", variant.game), *[find_agent("greedy", variant.game)] * (players - 1)]
    batch = play_batch(variant, line_up, players, 4000 // players, seed=99, workers=2)
    assert batch.shares()["learned"].low > 1 / players


@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), [("celtae", 2), ("celtica", 4)])
def test_a_search_by_a_shipped_evaluation_does_not_see_what_is_hidden(game, players):
    asked, caught = peeking(game, players, ["learned-mcts:4"])
    assert asked == POSITIONS
    assert caught == []
