"""Intervals over deals, and how several tests share one allowed error."""

import pytest

from boardgames.play.estimates import split_alpha


def test_an_allowed_error_is_enough_for_any_number_of_tests():
    assert split_alpha(0.05, 1) == pytest.approx(0.025)
    assert 0.049 < sum(split_alpha(0.05, position) for position in range(1, 1000)) < 0.05
