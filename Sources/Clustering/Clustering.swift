// Sources of Clustering follow.
