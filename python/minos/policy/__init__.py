"""What has to hold for a run to pass: pass rules of repeated attempts, gates, policy files."""
