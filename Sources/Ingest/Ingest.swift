// Sources of Ingest follow.
