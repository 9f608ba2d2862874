"""Agents whose code was only rewritten keep the digest of the code before: today's digest -> the earlier one.

An entry says that every choice is the same. Whoever changes the code changes its digest, and the entry no
longer counts: then delete it.
"""

EARLIER_DIGESTS = {
    "0f83cc9033558d014183e74f3ddc791c": "9c05cb44f1650beb3bb6c96eacbecae2",  # random
    "845e054041164ff39cfaad33392b5c2e": "9b6679ab6bd899f14bf4e158bb3fb2b0",  # greedy
    "7b2694ac5a16716aae595102f1cb6d76": "35b4864bee0c6fa9aec7abf25371bcb1",  # mcts
}
