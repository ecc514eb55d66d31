"""The commands, one file each. A file's `command` is loaded when it is called for."""
