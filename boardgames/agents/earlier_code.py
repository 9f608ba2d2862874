"""Agents whose code was only rewritten keep the digest of the code before: today's digest -> the earlier one.

An entry says that every choice is the same. Whoever changes the code changes its digest, and the entry no
longer counts: then delete it.
"""

EARLIER_DIGESTS = {
    "0f83cc9033558d014183e74f3ddc791c": "9c05cb44f1650beb3bb6c96eacbecae2",  # random
    "df6f5c51c7705796f69efe1e21663dbe": "9b6679ab6bd899f14bf4e158bb3fb2b0",  # greedy
    "e891d32037759869a5c3e4d0c6c14d93": "cc981c81284fa2d2389d4030a667bfa8",  # mcts
    "c7110895a8d46d69af5cd918b9f510f0": "55f798175f13cd77953e825fdbd21815",  # learned
    "156669c125d4c2a801901fdb621738a0": "f2ae6369fceb0577f7caaec358608e87",  # learned-mcts
}
