"""Rules that were only rewritten keep the fingerprint of the text that they replace.

A renaming changes the text of rules, and so their fingerprint, though every match stays the same. A package
may therefore ship the earlier text with the digest of today's. While today's text has that digest, results
stored under the earlier text count as today's. The next change of the rules ends that: then delete the file.
"""

import functools
import gzip
import hashlib
import json
from pathlib import Path
from typing import NamedTuple


class EarlierRules(NamedTuple):
    todays_digest: str
    text: str


def digest_text(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@functools.cache
def read_earlier_rules(path: Path) -> EarlierRules:
    return EarlierRules(**json.loads(gzip.decompress(path.read_bytes())))


def find_text_to_hash(path: Path | None, todays_text: str) -> str:
    """The earlier text, where today's is known to play the same matches; else today's."""
    if path is None:
        return todays_text
    earlier = read_earlier_rules(path)
    return earlier.text if earlier.todays_digest == digest_text(todays_text) else todays_text
