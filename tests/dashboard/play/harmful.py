"""Connect Four with a drawing that would run scripts in a page that puts it in as it is."""

from dataclasses import replace

from boardgames.examples import connect_four

HARM = (
    "<script>window.harmed = 1</script><g onload='window.harmed = 2' onclick='window.harmed = 3'/>"
    "<a href='javascript:window.harmed = 4'><text>x</text></a>"
    "<foreignObject><img xmlns='http://www.w3.org/1999/xhtml' src='x' onerror='window.harmed = 5'/>"
    "</foreignObject><animate attributeName='x' onbegin='window.harmed = 6'/></svg>"
)


def draw(state, seat):
    return connect_four.draw(state, seat).replace("</svg>", HARM)


GAME = replace(connect_four.GAME, name="harmful-four", draw=draw)
