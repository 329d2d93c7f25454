"""The same build by many processes, on one machine or on many, that all see its directory."""
