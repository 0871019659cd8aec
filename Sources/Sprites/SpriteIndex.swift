import Features
import Ingest
import OrderedCollections
package import Styling

/// The index of a sprite: the place and the meaning of each image in its PNG.
package struct SpriteIndex: Sendable {
  /// One image of the index.
  package struct Entry: Hashable, Sendable {
    package var name: String
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int
    package var geometry: StyleImageGeometry
  }

  /// The images in the order of the file; those without pixels are left out.
  package let entries: [Entry]

  /// Parses an index.
  ///
  /// - Throws: ``SpriteError`` for an entry that cannot be used, and the error of the JSON reader.
  /// - Complexity: O(bytes).
  package init(_ bytes: [UInt8], name: String) throws {
    guard bytes.count <= SpriteLimits.indexBytes else {
      throw SpriteError(
        "the index of the sprite has \(bytes.count) bytes, more than the limit of "
          + "\(SpriteLimits.indexBytes); cut it.")
    }
    guard case .object(let members) = try JSONValueParser.parse(bytes, name: name) else {
      throw SpriteError("the index of a sprite is a JSON object of images by name.")
    }
    guard members.count <= SpriteLimits.images else {
      throw SpriteError(
        "the index of the sprite has \(members.count) images, more than the limit of "
          + "\(SpriteLimits.images); cut it.")
    }
    entries = try members.compactMap { try Self.entry($0.key, $0.value) }
  }

  private static func entry(_ name: String, _ value: PropertyValue) throws(SpriteError) -> Entry? {
    guard case .object(let members) = value else {
      throw SpriteError("image '\(shown(name))' of the sprite is not an object.")
    }
    let reader = EntryReader(name: shown(name), members: members)
    let width = try reader.whole("width", 0...SpriteLimits.imageSide)
    let height = try reader.whole("height", 0...SpriteLimits.imageSide)
    let (x, y) = (
      try reader.whole("x", 0...SpriteLimits.side), try reader.whole("y", 0...SpriteLimits.side)
    )
    var geometry = StyleImageGeometry(
      pixelRatio: try reader.number("pixelRatio", 0.01...64, default: 1),
      isSDF: members["sdf"] == .bool(true))
    geometry.stretchX = try reader.zones("stretchX", size: width)
    geometry.stretchY = try reader.zones("stretchY", size: height)
    geometry.content = try reader.content(width: width, height: height)
    geometry.textFitWidth = try reader.textFit("textFitWidth")
    geometry.textFitHeight = try reader.textFit("textFitHeight")
    guard width > 0, height > 0 else { return nil }
    return Entry(name: name, x: x, y: y, width: width, height: height, geometry: geometry)
  }

  /// Returns a name for messages.
  static func shown(_ name: String) -> String {
    name.count > 60 ? String(name.prefix(59)) + "…" : name
  }
}

/// The members of one image of an index.
private struct EntryReader {
  let name: String
  let members: OrderedDictionary<String, PropertyValue>

  func whole(_ key: String, _ range: ClosedRange<Int>) throws(SpriteError) -> Int {
    guard case .number(let number)? = members[key], let whole = Int(exactly: number),
      range.contains(whole)
    else {
      throw fault(
        key, "is a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  func number(
    _ key: String, _ range: ClosedRange<Double>, default fallback: Double
  ) throws(SpriteError) -> Double {
    guard let value = members[key], value != .null else { return fallback }
    guard case .number(let number) = value, range.contains(number) else {
      throw fault(key, "is a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Returns the parts `[[from, to], …]` of an axis that stretch.
  func zones(_ key: String, size: Int) throws(SpriteError) -> [ClosedRange<Double>] {
    guard let value = members[key], value != .null else { return [] }
    guard case .array(let items) = value, items.count <= SpriteLimits.zones else {
      throw fault(key, "is a list of at most \(SpriteLimits.zones) pairs of pixels")
    }
    var zones: [ClosedRange<Double>] = []
    for item in items {
      guard let pair = Self.numbers(item), pair.count == 2, pair[0] >= zones.last?.upperBound ?? 0,
        pair[0] < pair[1], pair[1] <= Double(size)
      else {
        throw fault(key, "is a list of pairs of pixels, ascending and within the image")
      }
      zones.append(pair[0]...pair[1])
    }
    return zones
  }

  func content(width: Int, height: Int) throws(SpriteError) -> StyleImageGeometry.Content? {
    guard let value = members["content"], value != .null else { return nil }
    guard let sides = Self.numbers(value), sides.count == 4, sides[0] >= 0, sides[1] >= 0,
      sides[0] < sides[2], sides[1] < sides[3], sides[2] <= Double(width),
      sides[3] <= Double(height)
    else {
      throw fault("content", "is [left, top, right, bottom] in pixels within the image")
    }
    return StyleImageGeometry.Content(
      left: sides[0], top: sides[1], right: sides[2], bottom: sides[3])
  }

  func textFit(_ key: String) throws(SpriteError) -> StyleImageGeometry.TextFit {
    guard let value = members[key], value != .null else { return .stretchOrShrink }
    guard case .string(let word) = value, let fit = StyleImageGeometry.TextFit(rawValue: word)
    else {
      throw fault(key, "is stretchOrShrink, stretchOnly or proportional")
    }
    return fit
  }

  private static func numbers(_ value: PropertyValue) -> [Double]? {
    guard case .array(let items) = value else { return nil }
    let numbers = items.compactMap { item -> Double? in
      if case .number(let number) = item, number.isFinite { number } else { nil }
    }
    return numbers.count == items.count ? numbers : nil
  }

  private func fault(_ key: String, _ meaning: String) -> SpriteError {
    SpriteError("image '\(name)' of the sprite has a wrong '\(key)', which \(meaning).")
  }
}
