extension GeometryText.Form {
  private static let words = [
    "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON",
    "GEOMETRYCOLLECTION", "SRID=",
  ]

  /// Creates the form of a value, of which the end may be cut off, that looks like a geometry rather
  /// than any other text.
  package init?(likely text: String) {
    var text = text
    guard let form = text.withUTF8({ GeometryText.Form(UnsafeRawBufferPointer($0)) }) else {
      return nil
    }
    let isLikely =
      switch form {
      case .text: Self.words.contains { text.uppercased().hasPrefix($0) }
      case .binary: text.hasPrefix("00") || text.hasPrefix("01")
      case .geoJSON: text.contains("\"coordinates\"")
      case .pair: CoordinatePair(text).map(Self.areDegrees) ?? false
      }
    guard isLikely else { return nil }
    self = form
  }

  /// Whether two numbers may be degrees: within range either way, and with decimals.
  private static func areDegrees(_ pair: CoordinatePair) -> Bool {
    let (first, second) = (abs(pair.first), abs(pair.second))
    let hasDecimals =
      pair.first.rounded() != pair.first || pair.second.rounded() != pair.second
    return hasDecimals && min(first, second) <= 90 && max(first, second) <= 180
  }

  /// The form in words.
  package var words: String {
    switch self {
    case .text: "geometries as WKT"
    case .binary: "geometries as WKB in hexadecimal digits"
    case .geoJSON: "geometries as GeoJSON"
    case .pair: "two numbers each"
    }
  }
}

extension CoordinatePair {
  /// Creates the pair of a text; `nil` for any other text.
  package init?(_ text: String) {
    var text = text
    let pair = text.withUTF8 { bytes -> CoordinatePair? in
      do throws(GeometryRefusal) {
        return try CoordinatePair(UnsafeRawBufferPointer(bytes))
      } catch {
        return nil
      }
    }
    guard let pair else { return nil }
    self = pair
  }
}
