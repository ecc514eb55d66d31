"""Measure on your own labelled data whether a model's decisions can be trusted."""
