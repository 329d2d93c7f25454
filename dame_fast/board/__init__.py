"""Boards: positions with rules on which moves are made; one module for each kind of position."""
