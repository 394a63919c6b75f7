"""What `lab check` computes from the samples of many runs. Times are in microseconds, spreads are fractions."""

import math
import statistics as std
from collections.abc import Sequence
from dataclasses import dataclass

GROUP = 5  # runs whose least median is one measurement
_MAD_TO_SD = 1.4826  # of a normal distribution
_OUTLIER = 3.0


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that at least `share` of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def variation(values: Sequence[float]) -> float | None:
    """Coefficient of variation: standard deviation (n - 1) over mean; None below two values."""
    if len(values) < 2 or std.fmean(values) == 0:
        return None
    return std.stdev(values) / std.fmean(values)


def of_own_mean(parts: Sequence[Sequence[float]]) -> list[float]:
    """All values, each over the mean of its part: what varies within the parts."""
    return [value / std.fmean(part) for part in parts for value in part if std.fmean(part) != 0]


def minima(values: Sequence[float], group: int = GROUP) -> list[float]:
    """The least of each `group` consecutive values; an incomplete last group is left out."""
    return [min(values[i:i + group]) for i in range(0, len(values) - group + 1, group)]


def interleaved(values: Sequence[float], group: int = GROUP) -> list[float]:
    """The least of `group` runs over that of as many runs in between them, which is how a fault is measured: what drifts
    slowly drops out. One for every 2 * `group` consecutive values."""
    return [one / other for one, other in zip(minima(values[0::2], group), minima(values[1::2], group))]


def interleaved_variation(quotients: Sequence[float]) -> float | None:
    """Variation of what `interleaved` gives, of one of the two, hence over the root of 2. None below two quotients."""
    spread = variation(quotients)
    return None if spread is None else spread / math.sqrt(2)


def outliers(values: Sequence[float]) -> list[int]:
    """The positions of values farther from the median than 3 MAD, scaled to standard deviations."""
    middle = std.median(values)
    spread = _MAD_TO_SD * std.median(abs(value - middle) for value in values)
    return [i for i, value in enumerate(values) if spread > 0 and abs(value - middle) > _OUTLIER * spread]


def tail(samples: Sequence[float]) -> float:
    """The slowest hundredth of one run; below 100 samples its slowest."""
    return percentile(samples, 0.99)


@dataclass(frozen=True)
class Summary:
    """One cell over all runs of one flavour under the same faults."""
    runs: int
    median: float  # of the run medians
    variation: float | None  # of the run medians, within each measurement
    variation_of_minima: float | None  # of the least of five consecutive run medians; None below ten runs
    repetitions: int  # of the least of five, against five runs in between
    variation_interleaved: float | None  # of these; None below two
    outliers: int
    p99: float  # of all samples of all runs
    maximum: float


def summarise(*measurements: Sequence[Sequence[float]]) -> Summary:
    """The samples of each run, in the order of running. Several measurements at different times are several arguments:
    no group of runs is of two of them, and what varies from the one to the other is in no variation."""
    parts = [[std.median(samples) for samples in runs] for runs in measurements]
    medians = [median for part in parts for median in part]
    pooled = [value for runs in measurements for samples in runs for value in samples]
    least = of_own_mean([minima(part) for part in parts])
    quotients = [value for part in parts for value in interleaved(part)]
    return Summary(len(medians), std.median(medians), variation(of_own_mean(parts)), variation(least), len(quotients),
                   interleaved_variation(quotients), len(outliers(medians)), percentile(pooled, 0.99), max(pooled))


_NORMAL_95 = 1.959964  # quantile of the normal distribution, two-sided 95 %


def wilson(count: int, total: int) -> tuple[float, float]:
    """95 % bounds of a share, of which `count` of `total` independent trials were seen (Wilson, 1927); 0 to 1 of none."""
    if total == 0:
        return 0.0, 1.0
    share, z2 = count / total, _NORMAL_95 ** 2
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = _NORMAL_95 / (1 + z2 / total) * math.sqrt(share * (1 - share) / total + z2 / (4 * total * total))
    return middle - half if count else 0.0, middle + half if count < total else 1.0


@dataclass(frozen=True)
class Effect:
    """What a fault did to one statistic of one cell."""
    ratio: float  # median over the faulty runs by median over the healthy runs
    above: int  # faulty runs above every healthy run
    runs: int

    @property
    def visible(self) -> bool:
        """The criterion of the table: every faulty run lies above all healthy runs."""
        return self.runs > 0 and self.above == self.runs


def effect(healthy: Sequence[float], faulty: Sequence[float]) -> Effect:
    """Compares one number per run: run medians, or tails."""
    highest = max(healthy)
    base = std.median(healthy)
    above = sum(value > highest for value in faulty)
    return Effect(std.median(faulty) / base if base else math.inf, above, len(faulty))
