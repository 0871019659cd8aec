package import Columns
import Features
package import Styling

/// The symbols of some features of a source, and the room that they ask for: all that ``PlacementPass``
/// keeps of features. Follows from the features, the style and the zoom alone.
package struct SymbolRequests {
  /// Symbols in the order of their features.
  struct List {
    /// The hash of each symbol's looks and place.
    var keys: Column<StableHash>
    var xs: Column<Int>
    var ys: Column<Int>

    /// The sort key of each; empty for a layer without one.
    var sortKeys: Column<Double>

    /// The claims of the symbols of each layer that looks for room.
    var claims: [ClaimColumns]

    init(layers: Int, in scratch: Scratch?) {
      keys = Column(in: scratch)
      xs = Column(in: scratch)
      ys = Column(in: scratch)
      sortKeys = Column(in: scratch)
      claims = (0..<layers).map { _ in ClaimColumns(in: scratch) }
    }
  }

  /// The symbols of points, and those of lines and polygons, of each group of layers of the source; none for
  /// a group whose symbols all show.
  var groups: [[List]] = []

  /// The reach of the symbols at the places that they have by themselves, in device px.
  var reach = 0

  /// The distance by which labels may choose places farther off, in 1/16 device px.
  var excess = 0

  var missingImages = MissingImages()
  var unusable = UnusableNumbers()

  init() {}

  /// Appends the requests to bytes that ``init(_:)`` reads.
  package func append(to writer: inout ByteWriter) {
    writer.append(reach)
    writer.append(excess)
    writer.append(missingImages, unusable)
    writer.append(groups.count)
    for lists in groups {
      writer.append(lists.count)
      for list in lists {
        writer.append(list.keys)
        writer.append(list.xs)
        writer.append(list.ys)
        writer.append(list.sortKeys)
        writer.append(list.claims.count)
        for claims in list.claims { claims.append(to: &writer) }
      }
    }
  }

  package init(_ reader: inout ByteReader) throws(ByteReader.Damage) {
    reach = try reader.count()
    excess = try reader.count()
    (missingImages, unusable) = try reader.gapsOfStyle()
    for _ in 0..<(try reader.count()) {
      var lists: [List] = []
      for _ in 0..<(try reader.count()) { lists.append(try List(&reader)) }
      groups.append(lists)
    }
  }
}

extension SymbolRequests.List {
  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.Damage) {
    keys = try reader.column(of: StableHash.self)
    xs = try reader.column(of: Int.self)
    ys = try reader.column(of: Int.self)
    sortKeys = try reader.column(of: Double.self)
    claims = []
    for _ in 0..<(try reader.count()) {
      claims.append(try ClaimColumns(&reader, symbols: keys.count))
    }
    guard xs.count == keys.count, ys.count == keys.count,
      sortKeys.isEmpty || sortKeys.count == keys.count
    else { throw ByteReader.Damage() }
  }
}

extension ByteWriter {
  /// Appends the images that layers ask for and the style does not have, and numbers that are not finite.
  package mutating func append(_ missing: MissingImages, _ unusable: UnusableNumbers) {
    append(missing.entries.count)
    for entry in missing.entries {
      append(entry.name)
      append(entry.count)
    }
    append(unusable.entries.count)
    for entry in unusable.entries {
      append(entry.layer)
      append(entry.property.rawValue)
    }
  }
}

extension ByteReader {
  package mutating func gapsOfStyle() throws(Damage) -> (MissingImages, UnusableNumbers) {
    var (missing, unusable) = (MissingImages(), UnusableNumbers())
    for _ in 0..<(try count()) { missing.count(try text(), features: try count()) }
    for _ in 0..<(try count()) {
      let layer = try count()
      guard let property = StyleProperty(rawValue: try text()) else { throw Damage() }
      unusable.insert([property], of: layer)
    }
    return (missing, unusable)
  }
}
