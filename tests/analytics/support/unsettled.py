"""p-deterministic as a prototype whose one number is not settled: nobody knows in how many matches skill
decides.
"""

from dataclasses import replace

from tests.truth.p_deterministic import GAME as SETTLED

GAME = replace(
    SETTLED,
    reconstructed={"p": "50, perhaps 0 or 100: nobody has said"},
    fill_in=lambda chance: {"p": chance.choice([0, 50, 100])},
)
