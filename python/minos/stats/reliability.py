"""Statistics of answers whose truth is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from minos import _native

if TYPE_CHECKING:
    from typing_extensions import Buffer


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityBin:
    """The answers whose confidence lies in a range, and how right they were.

    Attributes:
        lower: The least confidence in an equal-mass bin; where an equal-width bin begins.
        upper: The greatest confidence in an equal-mass bin; where an equal-width bin ends.
        count: How many answers are in it.
        correct: How many of them are right.
        mean_confidence: Their mean confidence; None for an empty bin.
        accuracy: The share that is right; None for an empty bin.
    """

    lower: float
    upper: float
    count: int
    correct: int
    mean_confidence: float | None
    accuracy: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPoint:
    """What is left when only answers with at least some confidence are acted on.

    Attributes:
        threshold: The least confidence.
        covered: Answers with at least that confidence.
        scored: All scored questions, abstentions included.
        coverage: `covered / scored`; None where nothing is scored.
        correct: Covered answers that are right.
        accuracy: `correct / covered`; None where nothing is covered.
    """

    threshold: float
    covered: int
    scored: int
    coverage: float | None
    correct: int
    accuracy: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Whether confidences mean what they say. A figure without answers is None.

    Attributes:
        count: How many answers there are.
        correct: How many of them are right.
        accuracy: `correct / count`.
        ece: Expected calibration error over equal-mass bins: the distance of mean confidence and
            accuracy in each bin, weighted by the size of the bin.
        ece_equal_width: The same over equal-width bins.
        signed_bias: Mean confidence less accuracy; above 0 is too sure.
        bins: Bins of about equal size, none empty. Equal confidences are never parted.
        bins_equal_width: Bins of equal width, empty ones too; the lower edge belongs to a bin,
            the upper one only to the last.
        sweep: The thresholds 0.00 to 1.00 by 0.01.
    """

    count: int
    correct: int
    accuracy: float | None
    ece: float | None
    ece_equal_width: float | None
    signed_bias: float | None
    bins: tuple[ReliabilityBin, ...]
    bins_equal_width: tuple[ReliabilityBin, ...]
    sweep: tuple[SweepPoint, ...]


def calibration(
    confidence: Buffer, correct: Buffer, *, scored: int | None = None, bins: int = 10
) -> Calibration:
    """Work out how well confidences are calibrated, exactly and in one or two passes.

    The figures are those of a report: confidences are compared and added as whole numbers of
    10^-12, so that neither the order of the answers nor the machine shows in a digit. NumPy arrays,
    `array.array`, Arrow arrays and whatever else gives a buffer are read where they lie.

    Args:
        confidence: How sure each answer was, from 0 to 1: contiguous float64.
        correct: Whether it was right: contiguous bool or uint8 of the same length; 0 is wrong.
        scored: How many questions were asked, those without an answer included; the coverage of
            the sweep is a share of it. By default the number of answers.
        bins: How many bins of each kind, 1 to 1000.

    Returns:
        The figures.

    Raises:
        TypeError: A column is no buffer of its type.
        ValueError: A confidence is not a number from 0 to 1; or the columns differ in length or
            are not contiguous; or `scored` is below the number of answers; or `bins` is out of
            its range.

    Example:
        >>> from array import array
        >>> found = calibration(array("d", [0.9, 0.9, 0.6, 1.0]), bytes([1, 0, 1, 1]), bins=2)
        >>> found.accuracy, round(found.ece, 3), round(found.signed_bias, 3)
        (0.75, 0.3, 0.1)
        >>> found.sweep[95].coverage
        0.25
    """
    most_bins = 1000
    if not 1 <= bins <= most_bins:
        raise ValueError(f"bins must be between 1 and {most_bins}")
    count, right, ece, ece_equal_width, bias, mass, width, covered = _native.calibration(
        confidence, correct, bins
    )
    if scored is not None and scored < count:
        raise ValueError("scored cannot be less than the number of answers")
    asked = count if scored is None else scored
    return Calibration(
        count=count,
        correct=right,
        accuracy=_share(right, count),
        ece=ece,
        ece_equal_width=ece_equal_width,
        signed_bias=bias,
        bins=tuple(map(_bin, mass)),
        bins_equal_width=tuple(map(_bin, width)),
        sweep=tuple(
            SweepPoint(
                threshold=hundredths / 100,
                covered=above,
                scored=asked,
                coverage=_share(above, asked),
                correct=right_above,
                accuracy=_share(right_above, above),
            )
            for hundredths, (above, right_above) in enumerate(covered)
        ),
    )


def _bin(told: tuple[float, float, int, int, float | None, float | None]) -> ReliabilityBin:
    lower, upper, count, correct, mean_confidence, accuracy = told
    return ReliabilityBin(
        lower=lower,
        upper=upper,
        count=count,
        correct=correct,
        mean_confidence=mean_confidence,
        accuracy=accuracy,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
