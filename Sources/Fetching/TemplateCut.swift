import Platform
package import Tiling

/// The division of an area into requests.
package enum TemplateCut: Hashable, Sendable {
  /// One request, or two where the area crosses the antimeridian.
  case whole
  /// Boxes of this many degrees from the area's north-west corner; the last ones are smaller.
  case degrees(Double)
  /// The whole tiles of a zoom that the area touches.
  case zoom(Int)
}

/// The area of a request, and its tile if the area is one.
package struct TemplateCell: Hashable, Sendable {
  package let bounds: GeoBounds
  package let tile: TileCoord?
}

extension TemplateCut {
  /// Returns the cells of an area: from north to south, in each row from west to east.
  ///
  /// - Complexity: O(cells), of which there are at most `limit`.
  /// - Throws: ``FetchError/Code/badAddress`` for an invalid area or step, and for too many cells.
  func cells(of area: GeoBounds, limit: Int, uri: String) throws(FetchError) -> [TemplateCell] {
    let latitudes = [area.south, area.north]
    let longitudes = [area.west, area.east]
    guard latitudes.allSatisfy({ abs($0) <= 90 }), longitudes.allSatisfy({ abs($0) <= 360 }),
      area.south <= area.north
    else {
      throw FetchError(
        .badAddress, uri: uri,
        "the bounds are no area. Write [west, south, east, north] in degrees.")
    }
    let parts = area.crossesAntimeridian ? Self.split(area) : [area]
    switch self {
    case .whole:
      return try Self.boxes(parts, step: .max, limit: limit, uri: uri)
    case .degrees(let degrees):
      guard degrees.isFinite, degrees > 0, DegreeText.steps(degrees) > 0 else {
        throw FetchError(
          .badAddress, uri: uri, "a step of \(degrees) degrees cuts nothing. Write a larger one.")
      }
      return try Self.boxes(parts, step: DegreeText.steps(degrees), limit: limit, uri: uri)
    case .zoom(let zoom):
      guard (0...TileCoord.maxZoom).contains(zoom) else {
        throw FetchError(
          .badAddress, uri: uri, "there is no zoom \(zoom). Write one from 0 to 22.")
      }
      return try Self.tiles(area, zoom: zoom, limit: limit, uri: uri)
    }
  }

  /// Returns the two sides of an area that crosses the antimeridian.
  private static func split(_ area: GeoBounds) -> [GeoBounds] {
    [
      GeoBounds(west: area.west, south: area.south, east: 180, north: area.north),
      GeoBounds(west: -180, south: area.south, east: area.east, north: area.north),
    ].filter { $0.west < $0.east }
  }

  private static func boxes(
    _ parts: [GeoBounds], step: Int64, limit: Int, uri: String
  ) throws(FetchError) -> [TemplateCell] {
    let north = DegreeText.steps(parts.first?.north ?? 0)
    let south = DegreeText.steps(parts.first?.south ?? 0)
    let rows = edges(from: south, to: north, step: step, limit: limit)
    let columns = parts.map { part in
      edges(
        from: DegreeText.steps(part.west), to: DegreeText.steps(part.east), step: step,
        limit: limit)
    }
    let counts = columns.map(\.count).reduce(0, +)
    let (count, overflow) = rows.count.multipliedReportingOverflow(by: counts)
    guard !overflow, count <= limit else { throw tooMany(limit, uri) }
    return rows.flatMap { row in
      columns.joined().map { column in
        // Rows are measured from the north, so that the first one begins at the area's edge.
        TemplateCell(
          bounds: GeoBounds(
            west: degrees(column.from), south: degrees(north - (row.to - south)),
            east: degrees(column.to), north: degrees(north - (row.from - south))),
          tile: nil)
      }
    }
  }

  /// Returns the edges of a range divided into pieces, the last one smaller; one more than the
  /// limit indicates that it is exceeded.
  private static func edges(
    from start: Int64, to end: Int64, step: Int64, limit: Int
  ) -> [(from: Int64, to: Int64)] {
    var pieces: [(from: Int64, to: Int64)] = []
    var from = start
    repeat {
      let to = end - from <= step ? end : from + step
      pieces.append((from, to))
      from = to
    } while from < end && pieces.count <= limit
    return pieces
  }

  private static func tiles(
    _ area: GeoBounds, zoom: Int, limit: Int, uri: String
  ) throws(FetchError) -> [TemplateCell] {
    let box = WorldBox(area)
    let shift = UInt32(32 - zoom)
    func number(_ unit: UInt32) -> Int { zoom == 0 ? 0 : Int(unit >> shift) }
    let rows = number(box.north)...number(box.south)
    let (firstX, lastX) = (number(box.west), number(box.east))
    let end = (1 << zoom) - 1
    let columns = box.west <= box.east ? [firstX...lastX] : [firstX...end, 0...lastX]
    let width = columns.map(\.count).reduce(0, +)
    guard rows.count <= limit, width <= limit, rows.count * width <= limit else {
      throw tooMany(limit, uri)
    }
    // At low zooms both sides of the antimeridian may reach the same column.
    var seen = Set<Int>()
    let unique = columns.joined().filter { seen.insert($0).inserted }
    return rows.flatMap { y in
      unique.map { x in
        let tile = TileCoord(z: zoom, x: x, y: y)
        return TemplateCell(bounds: bounds(of: tile), tile: tile)
      }
    }
  }

  /// Returns the edges of a tile in degrees. Formula: inverse spherical Mercator, φ = atan(sinh(π(1
  /// − 2y))).
  private static func bounds(of tile: TileCoord) -> GeoBounds {
    let size = Double(1 << tile.z)
    func longitude(_ x: Int) -> Double { Double(x) / size * 360 - 180 }
    func latitude(_ y: Int) -> Double {
      atan(sinh(Double.pi * (1 - 2 * Double(y) / size))) * (180 / Double.pi)
    }
    return GeoBounds(
      west: longitude(tile.x), south: latitude(tile.y + 1), east: longitude(tile.x + 1),
      north: latitude(tile.y))
  }

  private static func degrees(_ steps: Int64) -> Double {
    Double(steps) / DegreeText.stepsPerDegree
  }

  private static func tooMany(_ limit: Int, _ uri: String) -> FetchError {
    FetchError(
      .badAddress, uri: uri,
      "the bounds need more than \(limit) requests. Make the bounds smaller or the cells larger.")
  }
}
