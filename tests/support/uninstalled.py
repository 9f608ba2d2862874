"""Pig by another name, as a game that is not installed."""

from dataclasses import replace

from boardgames.examples import pig

GAME = replace(pig.GAME, name="piglet")
