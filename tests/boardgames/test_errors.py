"""What a mistyped name is answered with."""

from boardgames.errors import make_unknown_error

FRUIT = ["apple", "banana", "cherry"]
MANY = [f"name{number}" for number in range(20)]


def test_few_names_are_all_listed():
    assert str(make_unknown_error("fruit", "aple", FRUIT)) == (
        "no fruit 'aple'; did you mean apple? There are: apple, banana, cherry"
    )


def test_of_many_names_only_the_close_ones_are_listed():
    message = str(make_unknown_error("name", "name7x", MANY, "`boardgames list` shows them"))
    assert message.startswith("no name 'name7x'; did you mean name7")
    assert message.endswith("? There are 20. `boardgames list` shows them")


def test_many_names_are_listed_where_none_is_close():
    message = str(make_unknown_error("name", "zzz", MANY))
    assert all(name in message for name in MANY)
