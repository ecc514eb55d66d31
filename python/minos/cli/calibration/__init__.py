"""What `minos calibrate` does."""
