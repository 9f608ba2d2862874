"""Which value of a parameter is best?"""
