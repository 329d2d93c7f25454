"""How positions and moves are written and read."""
