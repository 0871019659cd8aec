import Clustering
import Features
import JSON
import Tiling

// Hashes of what the entries of features are made from: they tell faster than the entries themselves
// whether a page of the last archive holds the same.

extension TapSource {
  /// Mixes the key of a feature, apart from the source's part, into a hash.
  func combineKey(of item: Item, _ level: Level?, into hash: inout StableHash) {
    switch item {
    case .point(let row):
      hash.combine(points.records.identifier(row))
    case .shape(let row):
      hash.combine(shapes.records.identifier(row))
    case .cluster(let zoom, let row):
      hash.combine(level?.clusters.ids[row] ?? 0)
      hash.combine(zoom)
    }
  }

  /// The hash of what all entries of the source have in common: its name and the names of the fields.
  var entrySeed: StableHash {
    var hash = prefixHash
    for names in [
      pointFields.map(\.column.name), shapeFields.map(\.column.name), aggregateNames,
      hasText ? [TapTextWriter.member] : [],
    ] {
      hash.combine(names.count)
      for name in names { hash.combine(name) }
    }
    return hash
  }

  /// Mixes into a hash what the entry of an item (``pieces(of:_:_:)``) follows from, apart from the
  /// ``entrySeed``.
  ///
  /// - Parameter members: the identifiers of the first members of a cluster.
  func combineEntry(
    of item: Item, _ level: Level?, _ members: [UInt64], into hash: inout StableHash
  ) {
    combineKey(of: item, level, into: &hash)
    switch item {
    case .point(let row): Self.combine(pointFields, row, into: &hash)
    case .shape(let row): Self.combine(shapeFields, row, into: &hash)
    case .cluster(_, let row):
      if let level { Self.combine(row, of: level, into: &hash) }
      hash.combine(members.count)
      for member in members { hash.combine(member) }
    }
    if let text { hash.combine(text.text(of: view(of: item, level))) }
  }

  private static func combine(_ fields: [Field], _ row: Int, into hash: inout StableHash) {
    for field in fields {
      hash.combine(Int(field.column.kinds[row].rawValue))
      field.column.withBytes(row) { hash.combine($0) }
    }
  }

  private static func combine(_ row: Int, of level: Level, into hash: inout StableHash) {
    hash.combine(UInt64(level.clusters.counts[row]))
    let box = level.clusters.boxes[row]
    for edge in [box.west, box.north, box.east, box.south] { hash.combine(UInt64(edge)) }
    hash.combine(Int(level.clusters.expansionZooms[row]))
    for index in level.clusters.aggregates.indices {
      var json: [UInt8] = []
      JSONWriter.append(level.clusters.aggregate(index, of: row), to: &json)
      json.withUnsafeBytes { hash.combine($0) }
    }
  }
}
