"""Rule sets: what they are, which there are, custom ones."""
