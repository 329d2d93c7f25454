"""Games: the moves made, and what ends them."""
