/// The kind of an artifact's content; the raw value is the prefix of its file's name.
package enum ArtifactKind: String, CaseIterable, Hashable, Sendable {
  /// The records of a source as columns, with their ledger.
  case records
  /// The clusters of a source at every zoom.
  case clusters
  /// The positions of labels in the polygons of a source.
  case poles
  /// The rows of an archive that is planned.
  case rows
  /// The scenes of the tiles of an archive.
  case scenes
  /// Tiles that a run painted before it ended early.
  case painted
  /// Digests of input files by their size, time and inode.
  case inputs
  /// The inputs of the last published archives.
  case published
}
