// Sources of MBTiles follow.
