"""Tic-tac-toe. See RULES.md."""

from boardgames import Flag, Game, NamedVariant, public
from tictactoe import drawing, rules

GAME = Game(
    name="tictactoe",
    about="Three in a row win.",
    player_counts=(2,),
    actions=len(rules.CELLS),
    fields={"mark": public("i2", 9)},  # 0, or 1 + the seat that took the cell
    parameters=(Flag("misere", False, "whether three in a row lose"),),
    variants={"misere": NamedVariant({"misere": True}, "three in a row lose")},
    ends=("three in a row", "full board"),
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    standing=rules.standing,
    say=rules.say,
    scores=(0, 1),
    turns=(5, 9),
    draw=drawing.draw,
)
