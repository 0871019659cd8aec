package import Features
import JSON
import Tiling

/// A reader of the geometry in a column of a table, whatever its form: well-known text, well-known
/// binary in hexadecimal digits, GeoJSON, or two numbers.
package struct GeometryText {
  /// The order of two numbers.
  package enum Order: String, CaseIterable, Sendable {
    /// Latitude first, as people write positions.
    case latlng
    case lnglat

    package var other: Order { self == .latlng ? .lnglat : .latlng }

    /// The order in words.
    package var words: String {
      self == .latlng ? "latitude before longitude" : "longitude before latitude"
    }
  }

  /// The forms of a geometry.
  package enum Form: Hashable, Sendable {
    case text, binary, geoJSON, pair

    /// Creates the form that a value has by its first bytes; `nil` for none.
    package init?(_ bytes: UnsafeRawBufferPointer) {
      guard let first = bytes.first(where: { $0 > 0x20 }) else { return nil }
      switch first {
      case UInt8(ascii: "{"): self = .geoJSON
      case 0x41...0x5A, 0x61...0x7A: self = .text
      case UInt8(ascii: "0") where HexadecimalBytes.areAll(bytes): self = .binary
      default: self = .pair
      }
    }
  }

  private let order: Order?
  private let limits: GeometryLimits
  private var binary: [UInt8] = []
  private var scratch = FeatureBatch()

  /// Whether a ring of the geometry that was read last is open in the text.
  package private(set) var closesRings = false

  /// - Parameter order: the order of two numbers; `nil` for the usual one.
  package init(order: Order?, limits: GeometryLimits = GeometryLimits()) {
    self.order = order
    self.limits = limits
  }

  /// Adds the parts of a geometry to the record that the column is building.
  ///
  /// - Returns: the type; `none` where it has no positions.
  /// - Throws: ``GeometryRefusal`` with the offset of the problem.
  /// - Complexity: O(bytes).
  package mutating func read(
    _ bytes: UnsafeRawBufferPointer, into column: inout GeometryColumn
  ) throws(GeometryRefusal) -> GeometryColumn.Kind {
    closesRings = false
    switch Form(bytes) {
    case .text:
      var reader = WellKnownTextReader(bytes, limits: limits)
      let kind = try reader.read(into: &column)
      closesRings = reader.closesRings
      return kind
    case .binary: return try readBinary(bytes, into: &column)
    case .geoJSON: return try readGeoJSON(bytes, into: &column)
    case .pair, nil:
      let pair = try CoordinatePair(bytes)
      column.add(
        pair.order(known: order) == .latlng
          ? LngLat(longitude: pair.second, latitude: pair.first)
          : LngLat(longitude: pair.first, latitude: pair.second))
      column.endPart(.point)
      return .point
    }
  }

  private mutating func readBinary(
    _ bytes: UnsafeRawBufferPointer, into column: inout GeometryColumn
  ) throws(GeometryRefusal) -> GeometryColumn.Kind {
    HexadecimalBytes.decode(bytes, into: &binary)
    let result = binary.withUnsafeBytes { bytes -> Result<GeometryColumn.Kind, GeometryRefusal> in
      var reader = WKBReader(bytes, in: nil, limits: limits)
      do throws(GeometryRefusal) {
        let kind = try reader.read(into: &column)
        closesRings = reader.closesRings
        return .success(kind)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private mutating func readGeoJSON(
    _ bytes: UnsafeRawBufferPointer, into column: inout GeometryColumn
  ) throws(GeometryRefusal) -> GeometryColumn.Kind {
    var options = GeoJSONOptions()
    options.maximumPositions = limits.positions
    let reader = GeoJSONReader(
      source: ByteSource(bytes: Array(bytes), name: "", chunk: max(bytes.count, 1)),
      options: options)
    do {
      _ = try reader.read(into: &scratch)
    } catch {
      throw GeometryRefusal(error.message, .invalidJSON, at: max(error.column - 1, 0))
    }
    let ledger = reader.ledger
    if let refused = ledger.examples.first {
      throw GeometryRefusal(refused.message, refused.reason, at: max(refused.column - 1, 0))
    }
    guard scratch.count == 1 else {
      throw GeometryRefusal("the GeoJSON is no geometry")
    }
    closesRings = (ledger.repaired[.closedRings] ?? 0) > 0
    for part in scratch.geometry.partRange(0) {
      for index in scratch.geometry.positionRange(part) {
        column.add(scratch.geometry.positions[index])
      }
      column.endPart(scratch.geometry.parts[part])
    }
    return scratch.geometry.kinds[0]
  }
}

/// Bytes in hexadecimal digits.
enum HexadecimalBytes {
  /// The least number of digits of a geometry: an order, a type and a count.
  private static let least = 18

  /// Whether a text may be a geometry in hexadecimal digits: an even number of them, no fewer than
  /// any geometry has.
  static func areAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= least && bytes.count % 2 == 0 && bytes.allSatisfy { value(of: $0) != nil }
  }

  /// Decodes digits; others count as 0.
  static func decode(_ digits: UnsafeRawBufferPointer, into bytes: inout [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    for index in stride(from: 0, to: digits.count - 1, by: 2) {
      bytes.append((value(of: digits[index]) ?? 0) << 4 | (value(of: digits[index + 1]) ?? 0))
    }
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }
}

/// Two numbers in one text, such as `48.2, 16.37`, `(48.2 16.37)` or `48.2;16.37`, also in degrees,
/// minutes and seconds, and with decimal commas where something else than a comma alone divides them.
package struct CoordinatePair: Hashable {
  package let first: Double
  package let second: Double
  /// The order that the letters of hemispheres tell; `nil` without them.
  package let order: GeometryText.Order?
  /// Whether the numbers stand in square brackets, as in a JSON array.
  package let isArray: Bool

  /// Maximum number of places at which a text is divided: spaces also stand within degrees.
  private static let divisions = 12

  package init(_ bytes: UnsafeRawBufferPointer) throws(GeometryRefusal) {
    var text = Self.trimmed(bytes[...])
    isArray = text.first == 0x5B
    let brackets: [(UInt8, UInt8)] = [(0x28, 0x29), (0x5B, 0x5D)]
    for (open, close) in brackets where text.first == open && text.last == close {
      text = Self.trimmed(text.dropFirst().dropLast())
    }
    guard let (first, second) = Self.angles(text), first.axis == nil || first.axis != second.axis
    else {
      throw GeometryRefusal(
        "the geometry is neither WKT, WKB in hexadecimal digits, GeoJSON nor two numbers",
        .invalidGeometry)
    }
    (self.first, self.second) = (first.value, second.value)
    switch (first.axis, second.axis) {
    case (.latitude, _), (nil, .longitude): order = .latlng
    case (.longitude, _), (nil, .latitude): order = .lnglat
    case (nil, nil): order = nil
    }
  }

  /// Returns the order of the numbers: by letters, else the known one, else as in GeoJSON for an array
  /// and latitude first for other texts.
  package func order(known: GeometryText.Order?) -> GeometryText.Order {
    order ?? known ?? (isArray ? .lnglat : .latlng)
  }

  private typealias Angle = (value: Double, axis: SexagesimalDegrees.Axis?)

  /// Divides a text into two angles.
  private static func angles(_ text: Slice<UnsafeRawBufferPointer>) -> (Angle, Angle)? {
    let separators: [[UInt8]] = [[0x2C], [0x3B], [0x20, 0x09]]
    for separator in separators {
      for mark in text.indices.lazy.filter({ separator.contains(text[$0]) }).prefix(divisions) {
        let next = text[(mark + 1)...]
        let isDecimal = text[mark] != 0x2C || next.first.map { $0 <= 0x20 } ?? false
        if let first = angle(trimmed(text[..<mark]), mayHaveComma: isDecimal),
          let second = angle(trimmed(next), mayHaveComma: isDecimal)
        {
          return (first, second)
        }
      }
    }
    return nil
  }

  private static func angle(
    _ text: Slice<UnsafeRawBufferPointer>, mayHaveComma: Bool
  ) -> Angle? {
    let bytes = UnsafeRawBufferPointer(rebasing: text)
    if let number = NumberGrammar.parseCoordinate(bytes) {
      return number.isFinite ? (number, nil) : nil
    }
    if mayHaveComma, bytes.contains(0x2C), let number = DecimalComma.parse(bytes) {
      return (number, nil)
    }
    return SexagesimalDegrees(bytes).map { ($0.value, $0.axis) }
  }

  private static func trimmed(
    _ text: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer> {
    var text = text
    while let first = text.first, first <= 0x20 { text = text.dropFirst() }
    while let last = text.last, last <= 0x20 { text = text.dropLast() }
    return text
  }
}
