"""Quantiles for intervals: the same as in scipy.stats, without its second of start-up."""

from scipy import special


def normal_quantile(chance: float) -> float:
    """The value that a standard normal variable stays below with this chance."""
    return float(special.ndtri(chance))


def student_quantile(chance: float, freedom: float) -> float:
    """The same for Student's t with `freedom` degrees of freedom; NaN if there are none."""
    return float(special.stdtrit(freedom, chance))


def beta_quantile(chance: float, a: float, b: float) -> float:
    """The same for the beta distribution."""
    return float(special.betaincinv(a, b, chance))
