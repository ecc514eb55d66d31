"""Reports as documents of no family, rendered one format a file."""
