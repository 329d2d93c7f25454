"""Building tables: what has to be done (`plan`), doing it (`builder`), and putting it on disk (`directory`)."""
