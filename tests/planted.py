"""A key that must be found nowhere."""

PLANTED = "sk-planted-5e1f00d5/b31a"
