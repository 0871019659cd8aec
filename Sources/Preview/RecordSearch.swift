import JSON
import MBTiles
import TapBlocks
import Tiling

/// A search over the taps of an archive: records whose values contain a text, and where they are.
struct RecordSearch: Sendable {
  /// The text in lower case.
  private let text: String

  /// Maximum number of records in an answer.
  static let limit = 20

  /// Maximum number of candidates whose places are looked for.
  private static let candidateLimit = 400

  /// Maximum bytes of a record's data that are searched.
  private static let maxBytes = 1 << 16

  /// Maximum characters of the text.
  private static let maxLength = 64

  /// - Returns: `nil` for a text that is too short or too long.
  init?(_ text: String) {
    let text = text.lowercased()
    guard (2...Self.maxLength).contains(text.count) else { return nil }
    self.text = text
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

  /// Returns `{"places": […]}`: the records of the archive's last zoom, where each stands alone.
  ///
  /// - Complexity: O(entries of the archive).
  func answer(from archive: ArchiveReader) throws -> ReportJSON {
    let zoom = Catalogue.extent(of: archive).maxZoom
    let places: [Place] =
      if try archive.hasTapBlocks() {
        try compact(zoom, archive)
      } else if try archive.hasGrids() {
        try gridded(zoom, archive)
      } else {
        []
      }
    return .members(["places": .array(places.map(\.json))])
  }

  /// Returns `{"places": […]}`: the records of painted tiles, where each stands alone.
  ///
  /// - Complexity: O(records).
  func answer(from painted: any PaintedTiles) throws -> ReportJSON {
    let zoom = painted.description.zooms.upperBound
    let found = try painted.records(limit: Self.limit) { match($0) != nil }
    let places = found.compactMap { json, place in
      match(json).map { Place(data: $0, position: place, zoom: zoom) }
    }
    return .members(["places": .array(places.map(\.json))])
  }

  /// Returns the data if one of its values contains the text and it is no cluster.
  private func match(_ bytes: [UInt8]) -> ReportJSON? {
    guard bytes.count <= Self.maxBytes, let data = ReportJSON(bytes), case .object = data,
      data["cluster"] != .bool(true), contains(data, depth: 0)
    else { return nil }
    return data
  }

  private func contains(_ value: ReportJSON, depth: Int) -> Bool {
    guard depth < 8 else { return false }
    return switch value {
    case .string(let words): words.lowercased().contains(text)
    case .integer(let number): "\(number)".contains(text)
    case .number(let number): "\(number)".contains(text)
    case .object(let members): members.contains { contains($0.value, depth: depth + 1) }
    case .array(let items): items.contains { contains($0, depth: depth + 1) }
    case .bool, .null: false
    }
  }
}

// UTFGrid.
extension RecordSearch {
  private func gridded(_ zoom: Int, _ archive: ArchiveReader) throws -> [Place] {
    var found: [(tile: TileCoord, key: String, data: ReportJSON)] = []
    var known: Set<String> = []
    try archive.forEachGridEntry(zoom: zoom, like: text) { tile, key, json in
      guard tile.isValid, !known.contains(key), let data = match(Array(json.utf8)) else {
        return true
      }
      known.insert(key)
      found.append((tile, key, data))
      return found.count < Self.candidateLimit
    }
    var places: [Place] = []
    for candidate in found where places.count < Self.limit {
      guard let bytes = try? archive.grid(of: candidate.tile), let grid = ReportJSON(bytes),
        let share = Self.middle(of: candidate.key, in: grid)
      else { continue }
      let position = Self.position(candidate.tile, share)
      places.append(Place(data: candidate.data, position: position, zoom: zoom))
    }
    return places
  }

  /// A place in a tile, in shares of its side from the north-western corner.
  private typealias Share = (x: Double, y: Double)

  private static func middle(of key: String, in grid: ReportJSON) -> Share? {
    guard case .array(let keys)? = grid["keys"], case .array(let rows)? = grid["grid"],
      let number = keys.firstIndex(of: .string(key)),
      let wanted = Unicode.Scalar(UTFGridCode.character(of: number))
    else { return nil }
    var cells: [(x: Int, y: Int)] = []
    for (y, row) in rows.prefix(1024).enumerated() {
      for (x, scalar) in (row.text ?? "").unicodeScalars.prefix(1024).enumerated()
      where scalar == wanted {
        cells.append((x, y))
      }
    }
    return middle(of: cells, side: rows.count)
  }

  /// Returns the middle of the cell that lies nearest to the mean of all, so that a tap hits it.
  private static func middle(of cells: [(x: Int, y: Int)], side: Int) -> Share? {
    guard !cells.isEmpty else { return nil }
    let count = Double(cells.count)
    let x = cells.reduce(0) { $0 + Double($1.x) } / count
    let y = cells.reduce(0) { $0 + Double($1.y) } / count
    func distance(_ cell: (x: Int, y: Int)) -> Double {
      (Double(cell.x) - x) * (Double(cell.x) - x) + (Double(cell.y) - y) * (Double(cell.y) - y)
    }
    guard let best = cells.min(by: { distance($0) < distance($1) }) else { return nil }
    return ((Double(best.x) + 0.5) / Double(side), (Double(best.y) + 0.5) / Double(side))
  }

  private static func position(_ tile: TileCoord, _ share: Share) -> LngLat {
    let scale = Double(1 << 32) / Double(1 << tile.z)
    func fixed(_ value: Double) -> UInt32 { UInt32(min(max(value * scale, 0), Double(UInt32.max))) }
    return LngLat(
      WorldPoint(x: fixed(Double(tile.x) + share.x), y: fixed(Double(tile.y) + share.y)))
  }
}

// Compact taps.
extension RecordSearch {
  private func compact(_ zoom: Int, _ archive: ArchiveReader) throws -> [Place] {
    var found: [UInt32: ReportJSON] = [:]
    try archive.forEachTapPage { page in
      for (number, entry) in zip(page.numbers, page.entries)
      where found.count < Self.candidateLimit {
        found[number] = match(entry)
      }
      return found.count < Self.candidateLimit
    }
    guard !found.isEmpty else { return [] }
    var places: [Place] = []
    // The rows of one record share an identifier.
    var known: Set<String> = []
    try archive.forEachTapBlock(zoom: zoom) { coord, block in
      for feature in block.features {
        guard let data = found[feature], places.count < Self.limit else { continue }
        if let id = data["id"]?.text, known.contains(id) { continue }
        guard let position = Self.position(of: feature, in: block, coord) else { continue }
        if let id = data["id"]?.text { known.insert(id) }
        found[feature] = nil
        places.append(Place(data: data, position: position, zoom: zoom))
      }
      return places.count < Self.limit && !found.isEmpty
    }
    return places
  }

  private static func position(
    of feature: UInt32, in block: TapBlock, _ coord: TapBlockCoord
  ) -> LngLat? {
    let tile = coord.firstTile
    guard block.tileSide > 0 else { return nil }
    if let symbol = block.symbols.features.firstIndex(of: feature) {
      let unit = Double(TapBlock.steps * block.tileSide)
      let share = (
        x: Double(block.symbols.xs[symbol]) / unit, y: Double(block.symbols.ys[symbol]) / unit
      )
      let side = Double(min(TapBlockCoord.side, 1 << coord.zoom))
      // A symbol of a neighbouring block only reaches into this one.
      guard (0..<side).contains(share.x), (0..<side).contains(share.y) else { return nil }
      return position(tile, share)
    }
    guard let shape = block.shapes.first(where: { $0.feature == feature }) else { return nil }
    let index = Int(shape.tile)
    let side = 64
    guard let cells = try? block.grid(ofTile: index, side: side) else { return nil }
    let own = cells.indices.filter { cells[$0] == feature }.map { (x: $0 % side, y: $0 / side) }
    guard let share = middle(of: own, side: side) else { return nil }
    return position(
      TileCoord(
        z: tile.z, x: tile.x + index % TapBlockCoord.side, y: tile.y + index / TapBlockCoord.side),
      share)
  }
}
