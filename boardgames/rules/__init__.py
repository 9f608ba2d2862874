"""Rules as code: the protocol, chance, and how rule functions are copied, fingerprinted and compiled."""
