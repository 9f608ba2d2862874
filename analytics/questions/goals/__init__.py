"""Does a game reach its author's goals?"""
