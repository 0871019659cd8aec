package import Tiling

/// The geometries of many records, flattened: each record owns a range of parts, each part a range
/// of coordinates. Append-only; degrees, longitude first; a third ordinate is dropped.
@usableFromInline
package struct GeometryColumn: Sendable {
  /// The type of a record's geometry, or of a part of a collection.
  @usableFromInline
  package enum Kind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    /// No geometry (null, or from a table without geometries).
    case none
    case point
    case multiPoint
    case lineString
    case multiLineString
    case polygon
    case multiPolygon
    /// Members of several kinds; each part has its own.
    case collection
  }

  /// The kind of a run of coordinates.
  @usableFromInline
  package enum Part: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    /// One position.
    case point
    /// A line of two or more positions.
    case line
    /// The outer ring of a polygon, closed or not as in the file.
    case outerRing
    /// A hole of the polygon whose outer ring precedes it.
    case innerRing
  }

  /// The geometry type of each record.
  @usableFromInline
  package private(set) var kinds = ContiguousArray<Kind>()

  /// The end of each record's parts in ``parts``.
  @usableFromInline
  package private(set) var partEnds = ContiguousArray<UInt32>()

  /// The kind of each part.
  @usableFromInline
  package private(set) var parts = ContiguousArray<Part>()

  /// The end of each part's positions in ``positions``.
  @usableFromInline
  package private(set) var positionEnds = ContiguousArray<UInt32>()

  /// All positions in the order of the file.
  package private(set) var positions = ContiguousArray<LngLat>()

  /// The vector tile that each record comes from, as a `TileKey`, to which its lines and rings are
  /// cut when they are drawn; empty if no record comes from a tile.
  package private(set) var tiles = ContiguousArray<UInt64>()

  /// The value for records that do not come from a tile.
  private static let noTile = UInt64.max

  package init() {}

  /// Restores geometries from saved columns; `nil` if these are inconsistent.
  ///
  /// - Complexity: O(records + parts).
  package init?(
    kinds: ContiguousArray<Kind>, partEnds: ContiguousArray<UInt32>, parts: ContiguousArray<Part>,
    positionEnds: ContiguousArray<UInt32>, positions: ContiguousArray<LngLat>,
    tiles: ContiguousArray<UInt64> = []
  ) {
    guard kinds.count == partEnds.count, partEnds.areEnds(of: parts.count),
      parts.count == positionEnds.count, positionEnds.areEnds(of: positions.count),
      tiles.isEmpty || tiles.count == kinds.count
    else { return nil }
    self.tiles = tiles
    self.kinds = kinds
    self.partEnds = partEnds
    self.parts = parts
    self.positionEnds = positionEnds
    self.positions = positions
  }

  /// The number of records.
  @inlinable
  package var count: Int { kinds.count }

  /// Appends one position to the part under construction.
  package mutating func add(_ position: LngLat) {
    positions.append(position)
  }

  /// Appends a run of positions to the part under construction.
  ///
  /// - Complexity: O(positions), as one copy.
  package mutating func add(contentsOf run: UnsafeBufferPointer<LngLat>) {
    positions.append(contentsOf: run)
  }

  /// Changes all positions in place, which keeps records and parts as they are.
  package mutating func changePositions(_ change: (inout ContiguousArray<LngLat>) -> Void) {
    let count = positions.count
    change(&positions)
    precondition(positions.count == count, "positions were added or removed")
  }

  /// Drops the positions of the part under construction.
  package mutating func abandonPart() {
    positions.removeLast(positions.count - Int(positionEnds.last ?? 0))
  }

  /// Ends a part of the record under construction.
  package mutating func endPart(_ part: Part) {
    parts.append(part)
    positionEnds.append(UInt32(truncatingIfNeeded: positions.count))
  }

  /// Ends a record. Its parts are those ended since the previous record.
  ///
  /// - Parameter tile: the vector tile that the record comes from, as a `TileKey`.
  package mutating func endRecord(_ kind: Kind, tile: UInt64? = nil) {
    kinds.append(kind)
    partEnds.append(UInt32(truncatingIfNeeded: parts.count))
    guard tile != nil || !tiles.isEmpty else { return }
    tiles.append(contentsOf: repeatElement(Self.noTile, count: kinds.count - 1 - tiles.count))
    tiles.append(tile ?? Self.noTile)
  }

  /// Returns the vector tile that a record comes from; `nil` if there is none.
  package func tile(of record: Int) -> UInt64? {
    guard !tiles.isEmpty, tiles[record] != Self.noTile else { return nil }
    return tiles[record]
  }

  /// Appends records of one position each.
  ///
  /// - Complexity: O(records), as five copies.
  package mutating func appendPoints(_ points: UnsafeBufferPointer<LngLat>) {
    guard !points.isEmpty else { return }
    let firstPart = UInt32(truncatingIfNeeded: parts.count)
    let firstPosition = UInt32(truncatingIfNeeded: positions.count)
    let count = UInt32(truncatingIfNeeded: points.count)
    if !tiles.isEmpty {
      tiles.append(contentsOf: repeatElement(Self.noTile, count: points.count))
    }
    kinds.append(contentsOf: repeatElement(.point, count: points.count))
    parts.append(contentsOf: repeatElement(.point, count: points.count))
    partEnds.append(contentsOf: (firstPart + 1)...(firstPart + count))
    positionEnds.append(contentsOf: (firstPosition + 1)...(firstPosition + count))
    positions.append(contentsOf: points)
  }

  /// Appends a record of another column.
  package mutating func append(_ record: Int, of other: GeometryColumn) {
    for part in other.partRange(record) {
      positions.append(contentsOf: other.positions[other.positionRange(part)])
      endPart(other.parts[part])
    }
    endRecord(other.kinds[record], tile: other.tile(of: record))
  }

  /// Appends a run of records of another column.
  ///
  /// - Complexity: O(records + parts + positions), as five copies.
  package mutating func append(records: Range<Int>, of other: GeometryColumn) {
    guard let last = records.last else { return }
    let parts = other.partRange(records.lowerBound).lowerBound..<other.partRange(last).upperBound
    let partShift = UInt32(truncatingIfNeeded: self.parts.count &- parts.lowerBound)
    if !tiles.isEmpty || !other.tiles.isEmpty {
      tiles.append(contentsOf: repeatElement(Self.noTile, count: kinds.count - tiles.count))
      tiles.append(contentsOf: records.lazy.map { other.tile(of: $0) ?? Self.noTile })
    }
    kinds.append(contentsOf: other.kinds[records])
    partEnds.append(ends: other.partEnds[records], movedBy: partShift)
    guard let lastPart = parts.last else { return }
    let run =
      other.positionRange(parts.lowerBound).lowerBound..<other.positionRange(lastPart).upperBound
    let shift = UInt32(truncatingIfNeeded: positions.count &- run.lowerBound)
    self.parts.append(contentsOf: other.parts[parts])
    positionEnds.append(ends: other.positionEnds[parts], movedBy: shift)
    positions.append(contentsOf: other.positions[run])
  }

  /// Drops the parts and positions of the record under construction.
  package mutating func abandonRecord() {
    parts.removeLast(parts.count - Int(partEnds.last ?? 0))
    positionEnds.removeLast(positionEnds.count - parts.count)
    abandonPart()
  }

  /// Returns the parts of a record, as indexes into ``parts``.
  @inlinable
  package func partRange(_ record: Int) -> Range<Int> {
    (record == 0 ? 0 : Int(partEnds[record - 1]))..<Int(partEnds[record])
  }

  /// Returns the positions of a part, as indexes into ``positions``.
  @inlinable
  package func positionRange(_ part: Int) -> Range<Int> {
    (part == 0 ? 0 : Int(positionEnds[part - 1]))..<Int(positionEnds[part])
  }

  /// Returns the smallest box in degrees around the positions of a record; an empty one without any.
  ///
  /// - Complexity: O(positions), without copying them.
  package func box(of record: Int) -> Box<Double> {
    let parts = partRange(record)
    guard let first = parts.first, let last = parts.last else { return .empty }
    let range = positionRange(first).lowerBound..<positionRange(last).upperBound
    return positions.withUnsafeBufferPointer { positions in
      positions[range].reduce(into: .empty) { $0.include(x: $1.longitude, y: $1.latitude) }
    }
  }

  /// Removes all records and keeps the memory.
  package mutating func removeAll() {
    kinds.removeAll(keepingCapacity: true)
    partEnds.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    positionEnds.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    tiles.removeAll(keepingCapacity: true)
  }
}

extension GeometryColumn.Kind {
  /// The geometry type of expressions: `Point`, `LineString` or `Polygon`; `nil` without a geometry
  /// and for a collection, whose members have types of their own.
  package var featureType: String? {
    switch self {
    case .none, .collection: nil
    case .point, .multiPoint: "Point"
    case .lineString, .multiLineString: "LineString"
    case .polygon, .multiPolygon: "Polygon"
    }
  }
}
