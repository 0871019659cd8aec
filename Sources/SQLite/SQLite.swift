// Sources of SQLite follow.
