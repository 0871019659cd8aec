/// The operators whose overload depends only on the types of their operands.
enum Signatures {
  static let definitions: [String: Definition] = {
    var table: [String: Definition] = [:]
    for group in [arithmetic, logic, texts, colors, inputs] {
      table.merge(group) { first, _ in first }
    }
    return table
  }()
}
