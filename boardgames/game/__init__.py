"""A game and its variants: what it declares, its parameters, the specs that name it, where it is
installed.
"""
