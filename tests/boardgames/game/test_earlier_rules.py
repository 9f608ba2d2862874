"""Rules that were rewritten or got a parameter more keep the results of the matches that they play alike."""

from dataclasses import replace

import pytest

from boardgames import Flag, InvalidInput, make_variant
from boardgames.examples.pig import GAME as PIG
from boardgames.game.earlier_rules import EarlierRules, digest_text, read_earlier_rules, write_earlier_rules
from boardgames.game.variant import describe_code, renew_earlier_rules

ADDED = (Flag("kind", True, "a parameter that is new"), Flag("quick", False, "another one"))


@pytest.fixture
def pig(tmp_path):
    """Pig with two parameters more and a file that says how it read before them."""
    path = tmp_path / "earlier_rules.json.gz"
    text = describe_code(PIG)
    write_earlier_rules(path, EarlierRules(digest_text(text), text))
    longer = replace(PIG, parameters=PIG.parameters + ADDED, earlier_rules=path)
    renew_earlier_rules(longer, {"kind": "yes", "quick": "no"})
    return longer


def fingerprint(game, **values):
    return make_variant(game, "", values).fingerprint()


def test_added_parameters_leave_the_fingerprint_where_the_game_plays_as_before(pig):
    assert fingerprint(pig) == fingerprint(PIG)
    assert fingerprint(pig, target=50) == fingerprint(PIG, target=50) != fingerprint(PIG)


def test_other_values_of_added_parameters_give_other_fingerprints(pig):
    fingerprints = [
        fingerprint(pig, kind=kind, quick=quick, target=target)
        for kind in ("yes", "no")
        for quick in ("yes", "no")
        for target in (50, 100)
    ]
    assert len(set(fingerprints)) == len(fingerprints)


def test_a_value_that_plays_otherwise_now_has_a_new_fingerprint_and_only_that_value(pig):
    renew_earlier_rules(pig, changed={"target": "50"})
    assert fingerprint(pig, target=50) != fingerprint(PIG, target=50)
    assert fingerprint(pig, target=60) == fingerprint(PIG, target=60)
    assert fingerprint(pig) == fingerprint(PIG)


def test_a_further_parameter_leaves_the_fingerprints_of_those_added_before_it(pig):
    before = fingerprint(pig, kind="no")
    longer = replace(pig, parameters=(*pig.parameters, Flag("late", False, "the newest")))
    assert fingerprint(longer, kind="no") != before
    renew_earlier_rules(longer, {"late": "no"})
    assert fingerprint(longer, kind="no") == before
    assert fingerprint(longer) == fingerprint(PIG)


def test_the_earlier_text_is_kept_and_what_was_named_stays_named(pig):
    renew_earlier_rules(pig)
    earlier = read_earlier_rules(pig.earlier_rules)
    assert earlier.text == describe_code(PIG)
    assert earlier.todays_digest == digest_text(describe_code(pig))
    assert earlier.added == {"kind": "yes", "quick": "no"}


def test_rules_that_changed_since_have_a_fingerprint_of_their_own(pig):
    changed = replace(pig, cap=pig.cap + 1)
    assert fingerprint(changed) not in (fingerprint(pig), fingerprint(replace(PIG, cap=PIG.cap + 1)))


def test_only_parameters_of_the_game_can_be_named(pig):
    with pytest.raises(InvalidInput, match="swift"):
        renew_earlier_rules(pig, {"swift": "no"})
    with pytest.raises(InvalidInput, match="pig has no file of earlier rules"):
        renew_earlier_rules(PIG)
