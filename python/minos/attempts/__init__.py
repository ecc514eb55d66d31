"""The one scheduler: slots, time-outs, order, journal, budget, selection. It knows no family."""
