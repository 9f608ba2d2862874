"""Rules that play every match as before keep the fingerprint of the text that they replace.

A renaming changes the text of rules, and so their fingerprint, though every match stays the same. So does a
parameter that is added with a default at which the game plays as before. A package may therefore ship the
earlier text with the digest of today's, and name the parameters added since. While today's text has that
digest, results stored under the earlier text count as today's: those of a variant that has the named values.
Other values give other fingerprints, and so does a value of an earlier parameter that is named as changed.

After such a change call `renew_earlier_rules` (boardgames/game/variant.py). After one that alters play,
delete the file.
"""

import functools
import gzip
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class EarlierRules(NamedTuple):
    todays_digest: str
    text: str
    # parameters added since, with the value, as it is typed in a spec, at which the game plays as before
    added: Mapping[str, str] = {}
    # values of earlier parameters at which the game plays otherwise than before
    changed: Mapping[str, str] = {}


def digest_text(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@functools.cache
def read_earlier_rules(path: Path) -> EarlierRules:
    return EarlierRules(**json.loads(gzip.decompress(path.read_bytes())))


def write_earlier_rules(path: Path, earlier: EarlierRules) -> None:
    path.write_bytes(gzip.compress(json.dumps(earlier._asdict()).encode(), mtime=0))
    read_earlier_rules.cache_clear()


def find_rules_to_hash(path: Path | None, todays_text: str) -> EarlierRules:
    """The earlier rules, where today's are known to play the same matches; else today's."""
    digest = digest_text(todays_text)
    if path is not None:
        earlier = read_earlier_rules(path)
        if earlier.todays_digest == digest:
            return earlier
    return EarlierRules(digest, todays_text)
