"""What an answer can be held against: one file for each assertion, or group of like ones."""
