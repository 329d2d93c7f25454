"""Tables: their files, the values they hold, perfect play by them, verification."""
