"""Which small change of rules reaches a designer's goals?"""
