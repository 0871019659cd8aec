// Sources of Expressions follow.
