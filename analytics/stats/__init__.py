"""Statistics: intervals for means, shares and ratios."""
