"""Facts of one file and what follows from them; nothing here changes text."""
