"""Decisions: typed questions with right answers, runs over them, and their reports."""
