import CScan
import Features
import JSON

/// A value that was found between the fixed bytes of a template.
struct GeoJSONPlainValue {
  /// The column, or ``id``.
  var slot: Int
  var kind: PropertyColumn.Kind
  /// The bytes of a string in the window.
  var start: UnsafePointer<UInt8>
  var count: Int
  var number: Double

  /// The slot of the feature's id.
  static let id = -1

  /// The bytes that the value takes in a batch.
  var byteCount: Int { kind == .number ? MemoryLayout<Double>.size : count }
}

extension GeoJSONParser {
  /// The least limits with which features are compared with templates: below, the general path
  /// knows what to refuse.
  static func allowsTemplates(_ options: GeoJSONOptions) -> Bool {
    options.json.depth >= 16 && options.json.numberBytes >= longestNumber
  }

  private static let longestNumber = 64

  /// Reads the feature whose brace ``JSONTokenizer/peek()`` just saw if it is written like one
  /// before it and lies entirely in the window; otherwise reads nothing.
  ///
  /// - Parameter isWholeText: whether only space may follow it.
  /// - Returns: whether the feature was appended to the batch.
  mutating func readPlainFeature(
    into batch: inout FeatureBatch, isWholeText: Bool = false
  ) -> Bool {
    for index in 0..<templates.templates.count {
      let template = templates.templates[index]
      guard template.columnCount <= batch.columns.count else { continue }
      startRecord()
      plainValues.removeAll()
      guard let end = match(template) else { continue }
      if isWholeText, !isSpace(from: end) { continue }
      templates.match(index)
      let line = json.place().line
      json.usedValues(upTo: end)
      appendPlain(template.kind, at: line, to: &batch)
      return true
    }
    return false
  }

  /// Makes a template of the feature that was just read, if the window still has all of it.
  ///
  /// - Parameter offset: the position of its first byte.
  mutating func learnTemplate(from offset: Int) {
    guard let feature = json.windowBytes(from: offset) else { return templates.learn(nil) }
    templates.learn(GeoJSONTemplate(of: feature) { properties.slot(of: $0) })
  }

  private func isSpace(from next: UnsafePointer<UInt8>) -> Bool {
    UnsafeBufferPointer(start: next, count: json.windowEnd - next).allSatisfy(JSONByte.isSpace)
  }

  /// Compares the window with a template and collects the values.
  ///
  /// - Returns: the end of the feature; `nil` if it differs, or has a value that is not plain.
  private mutating func match(_ template: GeoJSONTemplate) -> UnsafePointer<UInt8>? {
    let end = json.windowEnd
    var next = json.windowCursor
    return template.fixed.withUnsafeBufferPointer { fixed in
      guard var literal = fixed.baseAddress else { return nil }
      let first = literal
      return template.steps.withUnsafeBufferPointer { steps in
        for step in steps {
          let count = step.end &- (literal - first)
          guard Self.takes(literal, count, &next, end) else { return nil }
          literal += count
          switch step.hole {
          case .property(let slot):
            guard takeValue(&next, end, slot: slot, isKept: true) else { return nil }
          case .unkept:
            guard takeValue(&next, end, slot: 0, isKept: false) else { return nil }
          case .id:
            guard takeValue(&next, end, slot: GeoJSONPlainValue.id, isKept: true),
              plainValues.isEmpty
                || [.string, .number].contains(plainValues[plainValues.count - 1].kind)
            else { return nil }
          case .coordinates:
            guard takeCoordinates(&next, end, of: template.type) else { return nil }
          }
        }
        let count = template.fixedCount &- (literal - first)
        return Self.takes(literal, count, &next, end) ? next : nil
      }
    }
  }

  /// Steps over fixed bytes, eight at a time; both sides are readable for seven more.
  @inline(__always)
  private static func takes(
    _ fixed: UnsafePointer<UInt8>, _ count: Int, _ next: inout UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> Bool {
    guard end - next >= count else { return false }
    let (known, found) = (UnsafeRawPointer(fixed), UnsafeRawPointer(next))
    func difference(_ index: Int) -> UInt64 {
      UInt64(littleEndian: known.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        ^ UInt64(littleEndian: found.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }
    var index = 0
    while count &- index >= 8 {
      guard difference(index) == 0 else { return false }
      index &+= 8
    }
    if index < count {
      let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* (count &- index))
      guard difference(index) &<< unused == 0 else { return false }
    }
    next += count
    return true
  }

  private mutating func takeCoordinates(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, of type: GeoJSONType
  ) -> Bool {
    guard let levels = type.levels, shape.coordinates.takePlain(&next, end, levels: levels) else {
      return false
    }
    // What does not fit the type is refused by the general path, with its place.
    return (try? shape.add(type)) != nil
  }

  /// Steps over a value and notes it: a string without escapes, a number, true, false or null.
  @inline(__always)
  private mutating func takeValue(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, slot: Int, isKept: Bool
  ) -> Bool {
    guard next < end else { return false }
    var value = GeoJSONPlainValue(slot: slot, kind: .null, start: next, count: 0, number: 0)
    switch next.pointee {
    case JSONByte.quote:
      guard let close = closingQuote(next + 1, end) else { return false }
      value.kind = .string
      value.start = next + 1
      value.count = close - next - 1
      guard value.count <= stringLimit else { return false }
      next = close + 1
    case JSONByte.minus, JSONByte.zero...JSONByte.nine:
      let window = UnsafeRawBufferPointer(start: next, count: end - next)
      guard let number = NumberGrammar.parsePrefix(window), number.length < window.count,
        number.length <= Self.longestNumber,
        // The digits of large integers may be kept, see GeoJSONProperties.
        number.value.magnitude < 0x1p53
      else { return false }
      value.kind = .number
      value.number = number.value
      next += number.length
    case UInt8(ascii: "n"): guard takes("null", &next, end) else { return false }
    case UInt8(ascii: "t"):
      value.kind = .true
      guard takes("true", &next, end) else { return false }
    case UInt8(ascii: "f"):
      value.kind = .false
      guard takes("false", &next, end) else { return false }
    default: return false
    }
    if isKept { plainValues.append(value) }
    return true
  }

  private func takes(
    _ word: StaticString, _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Bool {
    guard end - next >= word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount where next[index] != word.utf8Start[index] {
      return false
    }
    next += word.utf8CodeUnitCount
    return true
  }

  /// Returns the quote that ends a string of valid text without escapes.
  @inline(__always)
  private func closingQuote(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    var next = start
    // Behind the window there is room for sixteen bytes, which do not count.
    while next < end {
      let ends = cscan_string_ends(next)
      guard ends != 0 else {
        next += 16
        continue
      }
      next += ends.trailingZeroBitCount
      guard next < end else { return nil }
      if next.pointee == JSONByte.quote { return next }
      guard next.pointee >= 0x80 else { return nil }
      let length = UTF8Sequence.length(next, available: end - next)
      guard length > 0 else { return nil }
      next += length
    }
    return nil
  }

  /// Appends the values of ``plainValues`` and the geometry as one record.
  private mutating func appendPlain(
    _ kind: GeometryColumn.Kind, at line: Int, to batch: inout FeatureBatch
  ) {
    let row = batch.count
    var hasID = false
    var bytes = 0
    for value in plainValues.elements {
      bytes &+= value.byteCount
      if value.slot == GeoJSONPlainValue.id {
        value.append(asRow: row, of: &batch.ids)
        hasID = true
      } else {
        value.append(asRow: row, of: &batch.columns[value.slot])
      }
    }
    if !hasID { batch.ids.append(.missing) }
    append(shape.isEmpty ? .none : kind, at: line, to: &batch, valueBytes: bytes)
  }
}

extension GeoJSONPlainValue {
  /// Appends the value as a row of a column, after rows without one.
  @inline(__always)
  func append(asRow row: Int, of column: inout PropertyColumn) {
    if column.count < row { column.append(.missing, count: row - column.count) }
    switch kind {
    case .string: column.append(.string, bytes: UnsafeRawBufferPointer(start: start, count: count))
    case .number: column.append(number)
    default: column.append(kind)
    }
  }
}
