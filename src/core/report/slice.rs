//! How the figures of some questions stand in a report.

use super::figures::Figures;
use super::judge::Oddity;
use super::layout::Layout;
use crate::stats::key::{ONE, threshold_key};
use crate::stats::ratio::ratio;
use crate::stats::{Binning, Calibration};

/// How much of the figures is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Everything.
    Full,
    /// No bins and no sweep: there are too few answers.
    Scalars,
}

/// Writes the members of a slice into an open object.
pub(super) fn push(layout: &mut Layout, figures: &Figures, detail: Detail) {
    layout.whole("scored", figures.scored);
    layout.whole("answered", figures.answered);
    layout.whole("abstained", figures.scored - figures.answered);
    layout.whole("correct", figures.correct);
    layout.whole("withoutConfidence", figures.answered - figures.sure.count);
    layout.name("irregular");
    layout.line();
    for (oddity, &count) in Oddity::ALL.iter().zip(&figures.oddities) {
        if count > 0 {
            layout.whole(oddity.as_str(), count);
        }
    }
    layout.close();
    layout.double("accuracy", figures.accuracy());
    layout.double("accuracyAll", figures.accuracy_all());
    layout.double("baseRate", figures.base_rate());
    layout.double("lift", figures.lift());
    push_errors(layout, &figures.sure);
    layout.double("signedBias", figures.sure.signed_bias());
    layout.name("topProbability");
    layout.block();
    layout.whole("answered", figures.top.count);
    push_errors(layout, &figures.top);
    if detail == Detail::Full {
        push_bins(layout, &figures.top);
    }
    layout.close();
    if detail == Detail::Full {
        push_bins(layout, &figures.sure);
        push_sweep(layout, figures);
    }
}

fn push_errors(layout: &mut Layout, calibration: &Calibration) {
    layout.double("ece", calibration.equal_mass.error());
    layout.double("eceEqualWidth", calibration.equal_width.error());
}

fn push_bins(layout: &mut Layout, calibration: &Calibration) {
    push_binning(layout, "bins", &calibration.equal_mass);
    push_binning(layout, "binsEqualWidth", &calibration.equal_width);
}

fn push_binning(layout: &mut Layout, name: &str, binning: &Binning) {
    layout.name(name);
    layout.list();
    for bin in &binning.0 {
        layout.entry();
        layout.line();
        layout.double("lower", ratio(bin.lower.into(), ONE.into()));
        layout.double("upper", ratio(bin.upper.into(), ONE.into()));
        layout.whole("count", bin.count);
        layout.whole("correct", bin.correct);
        layout.double("meanConfidence", bin.mean());
        layout.double("accuracy", bin.accuracy());
        layout.close();
    }
    layout.close();
}

fn push_sweep(layout: &mut Layout, figures: &Figures) {
    layout.name("sweep");
    layout.list();
    for (hundredths, point) in (0..).zip(&figures.sure.sweep) {
        layout.entry();
        layout.line();
        layout.double(
            "threshold",
            ratio(threshold_key(hundredths).into(), ONE.into()),
        );
        layout.whole("covered", point.count);
        layout.whole("scored", figures.scored);
        layout.double("coverage", ratio(point.count.into(), figures.scored.into()));
        layout.whole("correct", point.correct);
        layout.double("accuracy", ratio(point.correct.into(), point.count.into()));
        layout.close();
    }
    layout.close();
}
