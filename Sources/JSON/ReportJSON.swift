/// JSON whose members keep their order and whose whole numbers remain whole, for reports, schemas
/// and logs.
package indirect enum ReportJSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// A finite number; infinity and NaN are written as null.
  case number(Double)
  case string(String)
  case array([ReportJSON])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: ReportJSON

    package init(_ key: String, _ value: ReportJSON) {
      self.key = key
      self.value = value
    }
  }

  /// Returns an object with the members in order.
  package static func members(_ members: KeyValuePairs<String, ReportJSON>) -> ReportJSON {
    .object(members.map { Member($0.key, $0.value) })
  }

  /// Returns a number of seconds, rounded to milliseconds.
  package static func seconds(_ seconds: Double) -> ReportJSON {
    .number((seconds * 1000).rounded() / 1000)
  }

  /// The text on one line.
  package var line: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// The text for people: nested containers are broken into lines, indented by two spaces per
  /// level.
  package var pretty: String {
    var text = ""
    write(to: &text, indent: 0)
    return text + "\n"
  }

  private var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .integer(let integer): text += "\(integer)"
    case .number(let number): text += number.isFinite ? "\(number)" : "null"
    case .string(let string): Self.write(string, to: &text)
    case .array(let items):
      let isBroken = items.contains(where: \.isContainer)
      Self.write("[", items, "]", to: &text, indent: isBroken ? indent : nil) {
        $0.write(to: &$1, indent: $2)
      }
    case .object(let members):
      let isBroken = members.contains { $0.value.isContainer }
      Self.write("{", members, "}", to: &text, indent: isBroken ? indent : nil) {
        Self.write($0.key, to: &$1)
        $1 += ": "
        $0.value.write(to: &$1, indent: $2)
      }
    }
  }

  private static func write<Item>(
    _ open: String, _ items: [Item], _ close: String, to text: inout String, indent: Int?,
    item: (Item, inout String, Int?) -> Void
  ) {
    text += open
    for (index, one) in items.enumerated() {
      if index > 0 { text += indent == nil ? ", " : "," }
      if let indent { text += "\n" + String(repeating: "  ", count: indent + 1) }
      item(one, &text, indent.map { $0 + 1 })
    }
    if let indent { text += "\n" + String(repeating: "  ", count: indent) }
    text += close
  }

  private static func write(_ string: String, to text: inout String) {
    text += JSONWriter.text(string, escapes: [.tab, .lineFeed, .carriageReturn])
  }
}
