"""Where the pieces of a drawing are, and which of them a click hits."""

import pytest

from boardgames.tools.check.pieces import find_faults, list_unread, read_drawing


def read(content, width=800):
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 600">{content}</svg>'
    return read_drawing(picture, {1, 2})


@pytest.mark.parametrize(
    ("shape", "middle", "size"),
    [
        ('<rect x="10" y="20" width="40" height="60"/>', (30, 50), (40, 60)),
        ('<circle cx="50" cy="60" r="20"/>', (50, 60), (40, 40)),
        ('<ellipse cx="50" cy="60" rx="20" ry="30"/>', (50, 60), (40, 60)),
        ('<polygon points="0,0 30,0 30,40 0,40"/>', (15, 20), (30, 40)),
        ('<path d="M10,10h40v30H10z"/>', (30, 25), (40, 30)),
        ('<path d="m10 10 40 0 0 30-40 0z"/>', (30, 25), (40, 30)),
        ('<path d="M0,20a20,20 0 0 1 40,0a20 20 0 0 1-40 0Z"/>', (20, 20), (40, 40)),
        ('<path d="M0,0C0,40 40,40 40,0S80-40 80,0V50H0Z"/>', (40, 10), (80, 80)),
        ('<path d="M0,0Q20,60 40,0T80,0V50H0Z"/>', (40, 10), (80, 80)),
        ('<rect width="40" height="60" transform="translate(100,50) scale(2)"/>', (140, 110), (80, 120)),
        ('<rect width="40" height="60" transform="rotate(90 0 60)"/>', (30, 80), (60, 40)),
        ('<g transform="matrix(1 0 0 2 5 0)"><rect width="40" height="60"/></g>', (25, 60), (40, 120)),
    ],
)
def test_shapes_are_where_a_browser_has_them(shape, middle, size):
    (piece,) = read(f'<g data-action="1">{shape}</g>').pieces
    assert piece.find_middle() == pytest.approx(middle, abs=0.6)
    low, high = piece.find_box()
    assert high - low == pytest.approx(size, abs=1.2)
    assert piece.hits(piece.find_middle(), by_target=False)


def test_a_ring_has_a_hole_and_its_edge_can_be_hit():
    ring = '<circle data-action="1" cx="50" cy="50" r="40" fill="none" stroke="#000" stroke-width="6"/>'
    drawing = read(ring)
    ((_, fault),) = find_faults(drawing)
    assert "hole in its middle" in fault
    assert drawing.pieces[0].hits((92, 50), by_target=False)


def test_a_piece_under_one_with_the_same_action_or_with_none_that_is_legal_is_free():
    lower, upper = (
        '<rect data-action="{}" x="{}" width="60" height="60"/>'.format(*what)
        for what in (("1", 0), ("{}", 9))
    )
    assert [list(find_faults(read(lower + upper.format(action)))) for action in ("1", "7")] == [[], []]
    assert ["under a later piece" in fault for _, fault in find_faults(read(lower + upper.format("2")))] == [
        True
    ]


def test_a_target_takes_no_click_from_what_can_be_seen():
    target = '<rect x="-20" width="60" height="60" fill="none" pointer-events="all"/>'
    small = f'<g data-action="2" transform="translate(40,0)"><rect width="20" height="60"/>{target}</g>'
    drawing = read(f'<rect data-action="1" width="40" height="60"/>{small}')
    assert [drawing.find_hit(point).actions for point in ((30, 30), (50, 30), (70, 30))] == [(1,), (2,), (2,)]
    assert list(find_faults(drawing)) == []


def test_the_size_is_that_of_a_picture_800_pixels_wide():
    rectangle = '<rect data-action="1" width="40" height="60"/>'
    assert [len(list(find_faults(read(rectangle, width)))) for width in (800, 1300, 1400)] == [0, 0, 1]


@pytest.mark.parametrize(
    ("content", "kinds"),
    [
        ('<g data-action="1"><text>only letters</text></g>', {"text"}),
        ('<g data-action="1"><rect width="9" height="9"/><text>5</text></g>', set()),
        ('<g data-action="1"><path d="M0,0 X9"/></g>', {"path"}),
        ('<g data-action="1"><rect width="5%" height="9"/></g>', {"rect"}),
        ('<g data-action="1" transform="spin(3)"><rect width="9" height="9"/></g>', {"g"}),
        ('<g data-action="1"><svg x="9"><rect width="9" height="9"/></svg></g>', {"svg"}),
    ],
)
def test_what_cannot_be_read_is_named_and_not_judged(content, kinds):
    drawing = read(content)
    assert list_unread(drawing) == kinds
    assert bool(list(find_faults(drawing))) is (not kinds)
