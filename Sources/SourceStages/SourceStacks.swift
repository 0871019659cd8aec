import Clustering
import Columns
package import Definition
import Features
import Scenes
import Tiling

/// The stacks of a source at each zoom that spreads them.
package struct SourceStacks: Sendable {
  private var zooms: [Int: PointStacks] = [:]

  /// - Parameter checkpoint: called before each zoom; throwing ends the work.
  /// - Complexity: as ``PointStacks``, for each zoom.
  package init(
    _ stacks: StackDefinition, of source: ClusteredSource, tiles: TilesDefinition,
    checkpoint: () throws -> Void
  ) rethrows {
    let records = source.source.points.records
    for zoom in tiles.minZoom...tiles.maxZoom where zoom >= stacks.from {
      try checkpoint()
      let symbols = source.symbols(at: zoom)
      let level = symbols.level
      func record(_ row: UInt32) -> Int { Int(level?.firstMembers[Int(row)] ?? row) }
      zooms[zoom] = PointStacks(
        level?.positions ?? symbols.points.positions, distance: stacks.distance,
        pixel: 0x1p32 / Double(tiles.tileSize << zoom), form: stacks.form,
        isAlone: { level?.isCluster($0) != true && symbols.keptPoints?[$0] != false },
        precedes: { records.precedes(record($0), record($1)) })
    }
  }

  /// Returns the stacks of a zoom; `nil` where it spreads none.
  func zoom(_ zoom: Int) -> PointStacks? { zooms[zoom] }
}

extension RecordColumns {
  /// Whether a row comes before another by its key, then by its properties: an order that does not
  /// depend on that of the file.
  fileprivate func precedes(_ row: Int, _ other: Int) -> Bool {
    let keys = (identifier(row), identifier(other))
    if keys.0 != keys.1 { return keys.0 < keys.1 }
    for column in columns {
      let texts = (column.text(row) ?? "", column.text(other) ?? "")
      if texts.0 != texts.1 { return texts.0 < texts.1 }
    }
    return row < other
  }
}
