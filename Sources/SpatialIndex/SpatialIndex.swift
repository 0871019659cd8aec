// Sources of SpatialIndex follow.
