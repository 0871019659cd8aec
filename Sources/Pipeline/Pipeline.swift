// Sources of Pipeline follow.
