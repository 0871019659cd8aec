import Features
package import Reuse

extension PlannedRows {
  /// A writer of the columns, which shares its storage with the rows.
  package var artifact: ArtifactWriter {
    var writer = ArtifactWriter()
    writer.append(Column(zooms.flatMap { [$0.zoom, $0.hasAreas ? 1 : 0] }))
    for zoom in zooms {
      writer.append(zoom.keys)
      writer.append(zoom.hashes)
      writer.append(zoom.blanks)
    }
    return writer
  }

  /// Reads the columns of ``artifact``.
  ///
  /// - Complexity: O(bytes), one copy, and O(tiles).
  package init(_ reader: inout ArtifactReader) throws(ArtifactDamage) {
    let facts = try reader.column(of: Int.self)
    var zooms: [Zoom] = []
    for index in stride(from: 0, to: facts.count - 1, by: 2) {
      let keys = try reader.column(of: UInt64.self)
      let hashes = try reader.column(of: StableHash.self)
      let blanks = try reader.column(of: UInt64.self)
      guard keys.count == hashes.count else { throw ArtifactDamage("rows do not fit together") }
      zooms.append(
        Zoom(
          zoom: facts[index], keys: keys, hashes: hashes, blanks: blanks,
          hasAreas: facts[index + 1] == 1))
    }
    self.init(zooms)
  }
}
