import Features
import JSON

/// The bytes that a feature has in common with features written like it, and the values between
/// them.
///
/// Programs write all features of a file in one way, so most features differ in their values only.
/// A feature with the fixed bytes of a template has the same members as the feature that the
/// template was made from: it is valid if its values are. Only the values are parsed, and whatever
/// is not plain goes the general way.
final class GeoJSONTemplate {
  /// The value after a run of fixed bytes.
  enum Hole: Hashable {
    /// A property in this column.
    case property(Int)
    /// A property that is not kept.
    case unkept
    case id
    case coordinates
  }

  /// A run of fixed bytes and the value after it.
  struct Step {
    /// The end of the bytes in ``fixed``; they begin where the step before ends.
    var end: Int
    var hole: Hole
  }

  /// The fixed bytes, without the values; ``padding`` readable bytes follow them.
  let fixed: [UInt8]
  let steps: [Step]
  /// The number of fixed bytes.
  let fixedCount: Int
  /// The type of the geometry, and the kind of the record.
  let type: GeoJSONType
  let kind: GeometryColumn.Kind
  /// The number of columns that the values need.
  let columnCount: Int

  static let padding = 8
  /// The most fixed bytes and values of a template.
  private static let byteLimit = 64 << 10
  private static let stepLimit = 4096

  /// Creates the template of a feature that was read without an error; `nil` if it has members that
  /// a template does not know, or values that are objects or arrays.
  ///
  /// - Parameter slot: the column of a property's name, `nil` for one that is not kept.
  /// - Complexity: O(bytes).
  init?(of feature: UnsafeRawBufferPointer, slot: (UnsafeRawBufferPointer) -> Int?) {
    var draft = GeoJSONTemplateDraft(feature)
    guard draft.readFeature(slot), let type = draft.type, let kind = type.kind, type.levels != nil,
      draft.fixed.count <= Self.byteLimit, draft.steps.count <= Self.stepLimit
    else { return nil }
    fixedCount = draft.fixed.count
    fixed = draft.fixed + [UInt8](repeating: 0, count: Self.padding)
    steps = draft.steps
    columnCount = draft.steps.reduce(0) { count, step in
      if case .property(let slot) = step.hole { max(count, slot + 1) } else { count }
    }
    self.type = type
    self.kind = kind
  }
}

/// A walk over the members of a feature that is known to be valid.
private struct GeoJSONTemplateDraft {
  private let text: UnsafeRawBufferPointer
  private var index = 0
  /// The index after the last value.
  private var copied = 0
  private(set) var fixed: [UInt8] = []
  private(set) var steps: [GeoJSONTemplate.Step] = []
  private(set) var type: GeoJSONType?

  init(_ text: UnsafeRawBufferPointer) {
    self.text = text
  }

  /// Reads the whole feature; `false` if it has no template.
  mutating func readFeature(_ slot: (UnsafeRawBufferPointer) -> Int?) -> Bool {
    let isKnown = readObject { draft, name in
      switch GeoJSONMembers(name: name) {
      case .type: draft.skipScalar()
      case .id: draft.cut(.id)
      case .geometry: draft.readGeometry()
      case .properties: draft.readProperties(slot)
      default: false
      }
    }
    fixed += text[copied..<index]
    skipSpace()
    return isKnown && index == text.count
  }

  private mutating func readGeometry() -> Bool {
    readObject { draft, name in
      switch GeoJSONMembers(name: name) {
      case .type: draft.readType()
      case .coordinates: draft.cut(.coordinates)
      default: false
      }
    }
  }

  private mutating func readType() -> Bool {
    let start = index
    guard skipScalar(), index - start > 2 else { return false }
    type = GeoJSONType(name: UnsafeRawBufferPointer(rebasing: text[(start + 1)..<(index - 1)]))
    return type != nil
  }

  private mutating func readProperties(_ slot: (UnsafeRawBufferPointer) -> Int?) -> Bool {
    readObject { draft, name in
      draft.cut(slot(name).map { .property($0) } ?? .unkept)
    }
  }

  /// Reads an object; `read` reads each value, from its beginning.
  private mutating func readObject(
    _ read: (inout Self, _ name: UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    guard take(JSONByte.openBrace) else { return false }
    if take(JSONByte.closeBrace) { return true }
    repeat {
      skipSpace()
      let start = index + 1
      guard index < text.count, text[index] == JSONByte.quote, skipString() else { return false }
      let name = UnsafeRawBufferPointer(rebasing: text[start..<(index - 1)])
      guard !name.contains(JSONByte.backslash), take(JSONByte.colon) else { return false }
      skipSpace()
      guard read(&self, name) else { return false }
    } while take(JSONByte.comma)
    return take(JSONByte.closeBrace)
  }

  /// Ends the run of fixed bytes before the next value, and skips the value.
  private mutating func cut(_ hole: GeoJSONTemplate.Hole) -> Bool {
    fixed += text[copied..<index]
    steps.append(GeoJSONTemplate.Step(end: fixed.count, hole: hole))
    guard hole == .coordinates ? skipArray() : skipScalar() else { return false }
    copied = index
    return true
  }

  /// Skips an array of arrays and numbers.
  private mutating func skipArray() -> Bool {
    var depth = 0
    repeat {
      guard index < text.count, text[index] != JSONByte.quote else { return false }
      if text[index] == JSONByte.openBracket { depth += 1 }
      if text[index] == JSONByte.closeBracket { depth -= 1 }
      index += 1
    } while depth > 0
    return true
  }

  private mutating func skipScalar() -> Bool {
    guard index < text.count else { return false }
    switch text[index] {
    case JSONByte.quote: return skipString()
    case JSONByte.openBrace, JSONByte.openBracket: return false
    default:
      let start = index
      while index < text.count, ![JSONByte.comma, JSONByte.closeBrace].contains(text[index]),
        !JSONByte.isSpace(text[index])
      {
        index += 1
      }
      return index > start
    }
  }

  private mutating func skipString() -> Bool {
    index += 1
    while index < text.count, text[index] != JSONByte.quote {
      index += text[index] == JSONByte.backslash ? 2 : 1
    }
    index += 1
    return index <= text.count
  }

  private mutating func skipSpace() {
    while index < text.count, JSONByte.isSpace(text[index]) { index += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard index < text.count, text[index] == byte else { return false }
    index += 1
    return true
  }
}

/// The templates of a file, those used last in front, and whether it is worth trying them.
struct GeoJSONTemplates {
  private(set) var templates: [GeoJSONTemplate] = []
  /// The features that may still differ from all templates before these are left alone.
  private var credit = Self.mostCredit
  /// The features to read without templates.
  private var pause = 0

  /// Four kinds of features, such as those with and without a property, or of two geometry types.
  private static let limit = 4
  private static let mostCredit = 32
  private static let pauseLength = 512

  /// Whether the next feature is compared with the templates, or becomes one.
  mutating func isWorthwhile() -> Bool {
    guard pause > 0 else { return true }
    pause -= 1
    return false
  }

  /// Notes that a feature is like a template.
  @inline(__always)
  mutating func match(_ index: Int) {
    if credit < Self.mostCredit { credit += 1 }
    if index > 0 { templates.swapAt(index, index - 1) }
  }

  /// Adds the template of a feature that is like no other; `nil` for one that has none.
  mutating func learn(_ template: GeoJSONTemplate?) {
    credit -= 1
    if credit == 0 {
      credit = Self.mostCredit / 2
      pause = Self.pauseLength
    }
    guard let template else { return }
    if templates.count == Self.limit { templates.removeLast() }
    templates.insert(template, at: 0)
  }
}
