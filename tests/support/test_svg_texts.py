"""The measure of texts in pictures, on pictures whose answers are known."""

import pytest

from tests.support.svg_texts import measure_texts

ON_WHITE = '<text x="10" y="20" font-size="10" fill="{}">word</text>'


def draw(*parts, width=500):
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 100">{"".join(parts)}</svg>'


@pytest.mark.parametrize(
    ("colour", "contrast"), [("#000000", 21.0), ("black", 21.0), ("#777", 4.48), ("#ffffff", 1.0)]
)
def test_contrast_is_that_of_the_standard(colour, contrast):
    (text,) = measure_texts(draw(ON_WHITE.format(colour)))
    assert text.contrast == pytest.approx(contrast, abs=0.01)


@pytest.mark.parametrize(
    "shape",
    [
        '<rect x="0" y="0" width="60" height="40" fill="#000000"/>',
        '<circle cx="20" cy="16" r="15" fill="#000000"/>',
        '<ellipse cx="20" cy="16" rx="20" ry="8" fill="#000000"/>',
        '<polygon points="0,0 60,0 60,40 0,40" fill="#000000"/>',
        '<path d="M0,0 h60 v40 H0 z" fill="#000000"/>',
        '<path d="M0,16 a20,20 0 1 1 40,0 a20,20 0 1 1 -40,0 z" fill="#000000"/>',
        '<path d="M-20,16 C0,60 40,60 60,16 Q20,-40 -20,16 Z" fill="#000000"/>',
        '<g transform="translate(20,16) rotate(90)"><rect x="-18" y="-24" width="36" height="48"/></g>',
    ],
)
def test_a_shape_under_a_text_is_what_it_stands_out_from(shape):
    (text,) = measure_texts(draw(shape, ON_WHITE.format("#000000")))
    assert text.contrast == pytest.approx(1)
    (text,) = measure_texts(draw(ON_WHITE.format("#000000"), shape))  # drawn later, it lies above
    assert text.contrast == pytest.approx(21)


def test_the_worst_place_along_a_text_counts():
    half = '<rect x="0" y="0" width="15" height="40" fill="#333333"/>'
    (text,) = measure_texts(draw(half, ON_WHITE.format("#000000")))
    assert text.contrast < 2


def test_what_shines_through_is_mixed():
    veil = '<rect width="60" height="40" fill="#000000" opacity="0.5"/>'
    (text,) = measure_texts(draw(veil, ON_WHITE.format("#ffffff")))
    assert text.contrast == pytest.approx(3.98, abs=0.01)


def test_size_is_that_at_a_width_of_a_thousand():
    grown = f'<g transform="scale(1.5)">{ON_WHITE.format("#000000")}</g>'
    assert [text.size for text in measure_texts(draw(grown, ON_WHITE.format("#000000")))] == [30, 20]
    assert [text.size for text in measure_texts(draw(grown, width=2000))] == [7.5]


def test_a_colour_that_is_not_understood_is_an_error():
    with pytest.raises(ValueError, match="mauve"):
        measure_texts(draw(ON_WHITE.format("mauve")))
