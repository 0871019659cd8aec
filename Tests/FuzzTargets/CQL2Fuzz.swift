import Expressions
import Features
import OrderedCollections
import SQLite
import Tiling

/// Filters as CQL2 text: truth has three values, and SQL that stands for a filter agrees with it.
enum CQL2Fuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self),
      let filter = try? CompiledFilter.compile(cql2: text)
    else { return false }
    let negated = try? CompiledFilter.compile(cql2: "NOT (\(text)\n)")
    for feature in FuzzFeature.all + records {
      let passes = answer(filter, feature)
      try require(answer(filter, feature) == passes, "a second evaluation differs")
      if let negated {
        try require(!(passes && answer(negated, feature)), "both it and its opposite hold")
      }
    }
    for box in filter.requiredBounds {
      try require(box.west <= box.east && box.south <= box.north, "an empty box: \(box)")
    }
    try compareWithSQL(filter)
    return true
  }

  private static func answer(_ filter: CompiledFilter, _ feature: FuzzFeature) -> Bool {
    filter.matches(EvaluationContext(zoom: 0, feature: feature.bound(to: filter.propertyNames)))
  }

  // MARK: SQL

  private static let columns = ["n", "s", "b"]

  private static let records: [FuzzFeature] = {
    let numbers: [PropertyValue] = [.null, .number(0), .number(1), .number(-2.5), .number(1e300)]
    let texts: [PropertyValue] = [
      .null, .string(""), .string("a"), .string("A%"), .string("\u{FFFD}"), .string("\u{1F600}é"),
      .string("2020-01-01"),
    ]
    let truths: [PropertyValue] = [.null, .bool(false), .bool(true), .number(2), .string("true")]
    return (0..<35).map { row in
      // The columns of numbers and texts have no type, so that each holds some of the other.
      let isMixed = row > 24
      return FuzzFeature(properties: [
        "n": isMixed ? texts[row % 7] : numbers[row % 5],
        "s": isMixed ? numbers[row % 5] : texts[row % 7], "b": truths[row / 7],
      ])
    }
  }()

  /// A table of the records.
  private static func table() throws -> Database {
    let database = try Database(path: "", mode: .memory, trust: .foreign)
    try database.execute("CREATE TABLE t (row INTEGER PRIMARY KEY, n, s, b)")
    let insertion = try database.prepare("INSERT INTO t VALUES (?1, ?2, ?3, ?4)")
    for (row, record) in records.enumerated() {
      try insertion.bind(Int64(row), at: 1)
      for (place, name) in columns.enumerated() {
        let parameter = Int32(place) + 2
        switch record.properties[name] {
        case .number(let number)?: try insertion.bind(number, at: parameter)
        case .string(let text)?: try insertion.bind(text, at: parameter)
        case .bool(let bool)?: try insertion.bind(Int64(bool ? 1 : 0), at: parameter)
        default: try insertion.bindNull(at: parameter)
        }
      }
      try insertion.run()
    }
    return database
  }

  private static func compareWithSQL(_ filter: CompiledFilter) throws {
    let condition = filter.sqlCondition { name in
      columns.contains(name) ? SQLColumn(quoted: "\"\(name)\"", isBoolean: name == "b") : nil
    }
    guard let condition else { return }
    let database = try table()
    let statement = try database.prepare("SELECT row FROM t WHERE \(condition.text) ORDER BY row")
    for (place, parameter) in condition.parameters.enumerated() {
      switch parameter {
      case .number(let number): try statement.bind(number, at: Int32(place) + 1)
      case .text(let text): try statement.bind(text, at: Int32(place) + 1)
      }
    }
    var given = Set<Int>()
    while try statement.step() { given.insert(Int(statement.integer(0))) }
    for (row, record) in records.enumerated() {
      let passes = answer(filter, record)
      try require(
        passes ? given.contains(row) : !condition.isExact || !given.contains(row),
        "row \(row) \(passes ? "passes" : "does not pass"), but SQLite thinks otherwise of "
          + condition.text)
    }
  }
}
