"""Why a match was won, in a sentence: by the score, then by each tie-break."""

from collections.abc import Sequence


def explain_win(*criteria: tuple[str, Sequence[int]]) -> str:
    """Who won and why, by what decides in turn: its name, for one of it, and how many each seat has.

    explain_win(("amulet", [2, 2]), ("part", [6, 7])) -> "Seat 2 wins: 2 amulets each, then 7 parts against
    6." Most win; where the fewest do, give negative numbers: they are said without the sign.
    """
    standings = list(zip(*(numbers for _, numbers in criteria), strict=True))
    best = max(standings)
    winners = [seat for seat, standing in enumerate(standings) if standing == best]
    nouns = [noun for noun, _ in criteria]
    if len(winners) > 1:
        shares = " and ".join(format_amount(n, noun) for n, noun in zip(best, nouns, strict=True))
        return f"{format_seats(winners)} share the win: {shares} each."
    second = max(standing for standing in standings if standing != best)
    equal = next(index for index, (mine, other) in enumerate(zip(best, second, strict=True)) if mine != other)
    ties = [f"{format_amount(best[index], nouns[index])} each, then " for index in range(equal)]
    decisive = f"{format_amount(best[equal], nouns[equal])} against {abs(second[equal])}"
    return f"{format_seats(winners)} wins: {''.join(ties)}{decisive}."


def format_amount(number: int, noun: str) -> str:
    """(1, "part") -> "1 part"; (7, "part") -> "7 parts"."""
    return f"{abs(number)} {noun}" if abs(number) == 1 else f"{abs(number)} {noun}s"


def format_seats(seats: Sequence[int]) -> str:
    """[0, 2] -> "Seats 1 and 3"."""
    numbers = [str(seat + 1) for seat in seats]
    return f"Seats {', '.join(numbers[:-1])} and {numbers[-1]}" if len(numbers) > 1 else f"Seat {numbers[0]}"
