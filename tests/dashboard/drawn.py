"""Pig with a picture, and with texts that would do harm where a page forgets to escape them."""

from dataclasses import replace

from boardgames.examples import pig

HARM = "<b onclick=alert(1)>*bold*</b> :red[x] $y$ [link](x)"


def draw(state, seat):
    bars = "".join(
        f'<rect x="{20 + 60 * n}" y="{100 - int(state.banked[n])}" width="40"'
        f' height="{int(state.banked[n])}" fill="#6349fd"/>'
        for n in range(int(state.players))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 110">{bars}<path d="M10 100H150"'
        f' stroke="#888"/></svg>'
    )


GAME = replace(
    pig.GAME, name="drawn-pig", about=HARM, ends=(HARM,), reconstructed={HARM: "we guessed"}, draw=draw
)
