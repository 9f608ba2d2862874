"""What a question gives back shows itself in a notebook: as HTML, as a pandas table, as a Plotly figure.

How that looks is the business of `analytics.show`, which is loaded when it is asked for.
"""

from typing import Any, TypeVar

A = TypeVar("A", bound="Answer")


class Answer:
    """An answer that a notebook shows as the terminal does."""

    def _repr_html_(self) -> str:
        from analytics.show.notebook import format_answer

        return format_answer(self)


class TableAnswer(Answer):
    """An answer that is also a table."""

    def table(self) -> Any:
        """The numbers as a pandas DataFrame; shares in percent, their differences in percentage points."""
        from analytics.show.notebook import make_frame

        return make_frame(self)


class DrawnAnswer(TableAnswer):
    """An answer that is also a figure."""

    def figure(self) -> Any:
        """A Plotly figure."""
        from analytics.show.notebook import draw_answer

        return draw_answer(self)


class AnswerList(list[A]):
    """Several answers, which a notebook shows one below the other."""

    def _repr_html_(self) -> str:
        return "".join(answer._repr_html_() for answer in self)
