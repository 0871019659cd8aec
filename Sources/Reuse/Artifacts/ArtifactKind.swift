/// What an artifact holds; the raw value begins its file's name.
package enum ArtifactKind: String, CaseIterable, Hashable, Sendable {
  /// The records of a source as columns, with their ledger.
  case records
  /// The clusters of a source at every zoom.
  case clusters
  /// Where labels stand in the polygons of a source.
  case poles
  /// The scenes of the tiles of an archive.
  case scenes
  /// Tiles that a run painted before it ended early.
  case painted
  /// Digests of input files by their size, time and inode.
  case inputs
  /// What the last published archives were made of.
  case published
}
