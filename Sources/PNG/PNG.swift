// Sources of PNG follow.
