import Features
import JSON

/// The properties and the id of the feature that is being read, until it is known to be valid.
struct GeoJSONProperties: ~Copyable {
  struct Value {
    var kind: PropertyColumn.Kind
    /// The start of the value's bytes in the arena.
    var start: Int
    var end: Int
    /// The number of the feature that the value belongs to; values of older ones do not count.
    var record: Int
  }

  private var names: GeoJSONNames
  /// Whether unknown names become columns.
  private let takesAll: Bool
  private let maximumProperties: Int
  private let nestedValueBytes: Int

  /// The value of each slot.
  private var values = JSONBuffer<Value>()
  /// The slots for which the feature has a value.
  private var given = JSONBuffer<Int>()
  private var id = Value(kind: .missing, start: 0, end: 0, record: 0)
  private var arena = JSONBuffer<UInt8>(capacity: 4096)
  private var canonical: [UInt8] = []
  private var record = 0
  /// The number of names before this feature.
  private var settledNames: Int

  init(_ options: GeoJSONOptions) {
    names = GeoJSONNames(options.wanted ?? [])
    takesAll = options.wanted == nil
    maximumProperties = options.maximumProperties
    nestedValueBytes = options.nestedValueBytes
    settledNames = names.count
    for _ in 0..<names.count { addSlot() }
  }

  /// The names of the columns, without those that only the current feature has: it may be refused.
  var columnNames: [String] {
    names.count == settledNames ? names.names : Array(names.names.prefix(settledNames))
  }

  /// Adds the names that are not known yet.
  mutating func adopt(_ added: [String]) {
    for var name in added {
      name.withUTF8 {
        let name = UnsafeRawBufferPointer($0)
        guard names.slot(of: name) == nil else { return }
        addSlot()
        _ = names.append(name)
      }
    }
    settledNames = names.count
  }

  /// Returns the column of a name; `nil` for a property that is not kept.
  mutating func slot(of name: UnsafeRawBufferPointer) -> Int? { names.slot(of: name) }

  /// The number of names that only the current feature has.
  var unsettledCount: Int { names.count - settledNames }

  /// The number of bytes that the values take in a batch.
  var byteCount: Int { arena.count }

  private mutating func addSlot() {
    values.append(Value(kind: .missing, start: 0, end: 0, record: 0))
  }

  /// Drops the previous feature, and the names that it alone had if it was refused.
  mutating func startRecord() {
    names.truncate(to: settledNames)
    values.truncate(to: settledNames)
    names.startRecord()
    given.removeAll()
    arena.removeAll()
    id = Value(kind: .missing, start: 0, end: 0, record: 0)
    record += 1
  }

  /// Reads the value of a `properties` member.
  mutating func readProperties(from json: inout JSONTokenizer) throws(JSONFailure) {
    guard try json.peek() == JSONByte.openBrace else {
      let place = json.place()
      try json.readNull(orReject: "'properties' must be an object or null", at: place)
      return
    }
    try json.beginObject()
    while true {
      var slot = names.takeExpected(from: &json)
      if slot == nil {
        guard try json.nextName() else { return }
        slot = try self.slot(&json)
      }
      guard let slot else {
        try json.skipValue()
        continue
      }
      guard values[slot].record != record else {
        throw JSONFailure(
          .record(.invalidJSON), json.place(),
          "the property \(JSONFailure.quoted(names.names[slot])) occurs twice in one feature; "
            + "keep one of the two")
      }
      values.start[slot] = try readValue(&json)
      given.append(slot)
    }
  }

  /// Returns the slot of the name in the tokenizer's text, `nil` for a property that is not kept.
  private mutating func slot(_ json: inout JSONTokenizer) throws(JSONFailure) -> Int? {
    if let slot = names.slot(of: json.text) { return slot }
    guard takesAll else { return nil }
    guard names.count < maximumProperties else {
      throw JSONFailure(
        .record(.tooLarge), json.place(),
        "the file has more than \(maximumProperties) different properties; "
          + "name those to keep with 'select:'")
    }
    addSlot()
    return names.append(json.text)
  }

  private mutating func readValue(_ json: inout JSONTokenizer) throws(JSONFailure) -> Value {
    let start = arena.count
    let kind: PropertyColumn.Kind
    switch try json.peek() {
    case JSONByte.quote:
      try json.readString()
      keep(json.text)
      kind = .string
    case JSONByte.minus, JSONByte.zero...JSONByte.nine:
      let number = try json.readFiniteNumber(orReject: .invalidJSON)
      // An identifier that a Double cannot distinguish from its neighbours keeps its digits.
      if NumberGrammar.isLargeInteger(json.numberSpelling, value: number) {
        keep(json.numberSpelling)
        kind = .text
      } else {
        keep(number)
        kind = .number
      }
    case JSONByte.openBrace, JSONByte.openBracket:
      let value = try JSONValueParser.value(
        from: &json, maximumBytes: nestedValueBytes, keepsWholes: true)
      canonical.removeAll(keepingCapacity: true)
      JSONWriter.append(value, to: &canonical)
      canonical.withUnsafeBytes { keep($0) }
      kind = .json
    default:
      switch try json.readLiteral() {
      case .null: kind = .null
      case .false: kind = .false
      case .true: kind = .true
      }
    }
    return Value(kind: kind, start: start, end: arena.count, record: record)
  }

  /// Reads the value of an `id` member: a string or a number; null counts as absent.
  mutating func readID(from json: inout JSONTokenizer) throws(JSONFailure) {
    switch try json.peek() {
    case JSONByte.quote, JSONByte.minus, JSONByte.zero...JSONByte.nine:
      id = try readValue(&json)
    default:
      let place = json.place()
      try json.readNull(orReject: "a feature's 'id' must be a string or a number", at: place)
    }
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    arena.append(from: start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
  }

  private mutating func keep(_ number: Double) {
    withUnsafeBytes(of: number) { keep($0) }
  }

  /// Appends the feature as one row of the columns, adding columns for new names. Rows without a
  /// value are left out until the next value or ``fillUp(_:)``.
  mutating func append(to batch: inout FeatureBatch) {
    for slot in batch.columns.count..<max(names.count, batch.columns.count) {
      batch.columns.append(PropertyColumn(name: names.names[slot]))
    }
    for slot in given.elements {
      append(values[slot], asRow: batch.count, of: &batch.columns[slot])
    }
    append(id, asRow: batch.count, of: &batch.ids)
    settledNames = names.count
  }

  /// Gives every column of the batch a row for each record.
  func fillUp(_ batch: inout FeatureBatch) {
    for slot in batch.columns.indices {
      batch.columns[slot].append(.missing, count: batch.count - batch.columns[slot].count)
    }
  }

  private func append(_ value: Value, asRow row: Int, of column: inout PropertyColumn) {
    if column.count < row { column.append(.missing, count: row - column.count) }
    switch value.kind {
    case .string, .number, .json, .text:
      column.append(
        value.kind,
        bytes: UnsafeRawBufferPointer(
          start: arena.start + value.start, count: value.end - value.start))
    case .missing, .null, .false, .true:
      column.append(value.kind)
    }
  }
}

extension JSONTokenizer {
  /// Reads `null`; any other value is well-formed but makes the record invalid.
  mutating func readNull(
    orReject message: String, at place: JSONPlace
  ) throws(JSONFailure) {
    guard try peek() == UInt8(ascii: "n") else {
      throw JSONFailure(.record(.invalidGeometry), place, message)
    }
    _ = try readLiteral()
  }
}
