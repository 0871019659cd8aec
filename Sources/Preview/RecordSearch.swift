import JSON
import MBTiles
import Runs
import TapBlocks
import Tiling

/// A search over the taps of an archive: records whose values contain a text, and where they are.
struct RecordSearch: Sendable {
  /// The text, folded as the words of the index are.
  private let text: [UInt8]

  /// Maximum number of records in an answer.
  static let limit = 20

  /// Maximum number of records that are read for an answer: rows of one record share an identifier.
  private static let candidateLimit = 400

  /// Maximum characters of the text.
  private static let maxLength = 64

  /// - Returns: `nil` for a text that is too short or too long.
  init?(_ text: String) {
    guard (2...Self.maxLength).contains(text.count) else { return nil }
    self.text = WordColumn.folded(text)
    guard !self.text.isEmpty else { return nil }
  }

  /// A record that was found, with its data and the zoom at which a tap answers with it.
  private struct Place {
    let data: ReportJSON
    let position: LngLat
    let zoom: Int

    var json: ReportJSON {
      .members([
        "lat": .number(position.latitude), "lng": .number(position.longitude),
        "zoom": .integer(zoom), "data": data,
      ])
    }
  }

  /// Returns `{"records": n, "places": […]}`: the number of records that were searched, and those
  /// that have the text, first the ones of which a value begins with it.
  ///
  /// - Complexity: O(bytes of the index).
  func answer(from archive: ArchiveReader, _ index: RecordIndex) throws -> ReportJSON {
    var places: [Place] = []
    var seen: Set<Int> = []
    // The rows of one record share an identifier.
    var known: Set<String> = []
    for startsValue in [true, false] {
      try index.words.forEachRecord(with: text, startsValue: startsValue) { record in
        guard seen.insert(record).inserted else { return true }
        if let place = try Self.place(index.spots[record], archive, index.zoom) {
          if place.data["id"]?.text.map({ known.insert($0).inserted }) ?? true {
            places.append(place)
          }
        }
        return places.count < Self.limit && seen.count < Self.candidateLimit
      }
      if places.count >= Self.limit { break }
    }
    return .members([
      "records": .integer(index.count), "places": .array(places.map(\.json)),
    ])
  }

  /// Returns `{"places": […]}`: the records of painted tiles that have the text.
  ///
  /// - Complexity: O(records).
  func answer(
    from painted: any PaintedTiles, for client: PreviewClient
  ) throws -> ReportJSON {
    let zoom = painted.description.zooms.upperBound
    let found = try painted.records(limit: Self.limit, for: client) { json in
      var words = WordColumn()
      guard words.append(record: json) else { return false }
      var isFound = false
      words.forEachRecord(with: text, startsValue: false) { _ in
        isFound = true
        return false
      }
      return isFound
    }
    let places = found.compactMap { json, place in
      ReportJSON(json).map { Place(data: $0, position: place, zoom: zoom) }
    }
    return .members(["places": .array(places.map(\.json))])
  }

  /// Returns a record with its place; `nil` if the archive has been replaced or is damaged there.
  private static func place(
    _ spot: RecordIndex.Spot, _ archive: ArchiveReader, _ zoom: Int
  ) throws -> Place? {
    let entry: [UInt8]?
    let point: WorldPoint?
    switch spot {
    case .symbol(let feature, let anchor):
      entry = try? archive.tapEntry(of: feature)
      point = anchor
    case .shape(let feature, let coord):
      entry = try? archive.tapEntry(of: feature)
      point = try? archive.tapBlock(of: coord.firstTile)?.point(of: feature, in: coord)
    case .key(let key, let tile):
      entry = try archive.entry(of: key, in: tile).map { Array($0.utf8) }
      point = (try? archive.grid(of: tile)).flatMap { ReportJSON($0) }
        .flatMap { GridCells(of: key, in: $0)?.middle(of: tile) }
    }
    guard let entry, let point, let data = ReportJSON(entry), case .object = data else {
      return nil
    }
    return Place(data: data, position: LngLat(point), zoom: zoom)
  }
}

/// The cells of one feature on a tile's grid.
private struct GridCells {
  private let cells: [(x: Int, y: Int)]
  private let side: Int

  /// Maximum number of cells along a side that are read.
  private static let maxSide = 1024

  init?(of key: String, in grid: ReportJSON) {
    guard case .array(let keys)? = grid["keys"], case .array(let rows)? = grid["grid"],
      let number = keys.firstIndex(of: .string(key)),
      let wanted = Unicode.Scalar(UTFGridCode.character(of: number))
    else { return nil }
    var cells: [(x: Int, y: Int)] = []
    for (y, row) in rows.prefix(Self.maxSide).enumerated() {
      for (x, scalar) in (row.text ?? "").unicodeScalars.prefix(Self.maxSide).enumerated()
      where scalar == wanted {
        cells.append((x, y))
      }
    }
    (self.cells, side) = (cells, rows.count)
  }

  init(_ cells: [(x: Int, y: Int)], side: Int) {
    (self.cells, self.side) = (cells, side)
  }

  /// Returns the middle of the cell that lies nearest to the mean of all, so that a tap hits it.
  func middle(of tile: TileCoord) -> WorldPoint? {
    guard !cells.isEmpty else { return nil }
    let count = Double(cells.count)
    let x = cells.reduce(0) { $0 + Double($1.x) } / count
    let y = cells.reduce(0) { $0 + Double($1.y) } / count
    func distance(_ cell: (x: Int, y: Int)) -> Double {
      (Double(cell.x) - x) * (Double(cell.x) - x) + (Double(cell.y) - y) * (Double(cell.y) - y)
    }
    guard let best = cells.min(by: { distance($0) < distance($1) }) else { return nil }
    return WorldPoint(
      tile, x: (Double(best.x) + 0.5) / Double(side), y: (Double(best.y) + 0.5) / Double(side))
  }
}

extension TapBlock {
  /// Returns a place at which a tap hits the first shape of a feature; `nil` if other features cover
  /// it.
  fileprivate func point(of feature: UInt64, in coord: TapBlockCoord) -> WorldPoint? {
    let side = 64
    guard let shape = shapes.first(where: { $0.feature == feature }),
      let cells = try? grid(ofTile: Int(shape.tile), side: side)
    else { return nil }
    let own = cells.indices.filter { cells[$0] == feature }.map { (x: $0 % side, y: $0 / side) }
    let first = coord.firstTile
    let tile = TileCoord(
      z: first.z, x: first.x + Int(shape.tile) % TapBlockCoord.side,
      y: first.y + Int(shape.tile) / TapBlockCoord.side)
    return GridCells(own, side: side).middle(of: tile)
  }
}
