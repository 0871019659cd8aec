import Features
import OrderedCollections

// What the values of the properties say about themselves.
extension Diagnosis {
  /// Records below which it means nothing that all are alike.
  private static let fewRecords = 20

  mutating func addColumnFindings() {
    addMojibake()
    addConstants()
    for column in examination.columns {
      addLeadingZeros(column)
      addNamedNulls(column)
      addTextNumbers(column)
      addTimes(column)
    }
    if examination.columns.isEmpty, profiled > 0, subject.isJSON { addNoProperties(profiled) }
    if !examination.columns.isEmpty, subject.isJSON, withoutProperties.count > 0 {
      addNoProperties(withoutProperties.count)
    }
  }

  private mutating func addMojibake() {
    guard !found(.wrongEncoding) else { return }
    let garbled = examination.columns.filter { $0.mojibake.count > 0 }
    guard !garbled.isEmpty else { return }
    var all = Occurrences()
    for column in garbled { all.add(column.mojibake) }
    add(
      Finding(
        .mojibake,
        "\(all.count) text\(all.count == 1 ? "" : "s") of \(Self.list(garbled.map(\.name))) "
          + "\(all.count == 1 ? "looks" : "look") like UTF-8 that was read as Latin-1 and written "
          + "again.", count: all.count, samples: all.samples,
        advice: "iconv -f UTF-8 -t WINDOWS-1252 FILE turns it back where all of the file is such."))
  }

  /// Columns that say nothing: one value, or none.
  private mutating func addConstants() {
    guard profiled >= Self.fewRecords else { return }
    let coordinates = coordinateNames.map { [$0.x, $0.y] } ?? []
    let constant = examination.columns.filter { column in
      let isSame =
        column.values == 0
        || column.nulls == 0 && column.distinct.isExact
          && column.distinct.count == 1
      return isSame && !coordinates.contains(column.name) && column.name != subject.id
    }
    guard !constant.isEmpty else { return }
    let shown = constant.prefix(8).map { column in
      column.values == 0 ? "\(column.name) (empty)" : "\(column.name) ('\(column.firstValue)')"
    }
    let rest = constant.count > 8 ? " and \(constant.count - 8) more" : ""
    let names = Set(constant.map(\.name))
    let others = examination.columns.map(\.name).filter {
      !names.contains($0) && !coordinates.contains($0)
    }
    var finding = Finding(
      .constantColumns,
      "\(constant.count) column\(constant.count == 1 ? " is" : "s are") the same in all "
        + "\(profiled) records: \(shown.joined(separator: ", "))\(rest).", count: constant.count)
    if others.count <= 40, !others.isEmpty {
      finding.settings = [Setting("select", .array(others.map(PropertyValue.string)))]
    } else {
      finding.advice = "Leave them out with 'select:'."
    }
    add(finding)
  }

  private mutating func addLeadingZeros(_ column: ColumnProfile) {
    guard column.leadingZeros.count > 0, column.numbers > 0 else { return }
    add(
      Finding(
        .leadingZeros,
        "Column '\(column.name)' has \(column.numbers) numbers and \(column.leadingZeros.count) "
          + "texts of digits that begin with 0: codes, which compare and sort wrongly so.",
        count: column.leadingZeros.count, samples: column.leadingZeros.samples,
        settings: [types(column.name, "string")]))
  }

  private mutating func addNamedNulls(_ column: ColumnProfile) {
    guard column.namedNulls.count > 0, column.numbers * 2 > column.values,
      let options = subject.csvOptions
    else { return }
    let names = options.nullValues + column.nullNames
    add(
      Finding(
        .namedNulls,
        "Column '\(column.name)' has \(column.numbers) numbers and \(column.namedNulls.count) times "
          + "\(Self.list(column.nullNames)), which is a text here and not null.",
        count: column.namedNulls.count, samples: column.namedNulls.samples,
        settings: [Setting("nullValues", .array(names.map(PropertyValue.string)))]))
  }

  private mutating func addTextNumbers(_ column: ColumnProfile) {
    let count = column.textNumbers.count
    guard subject.isJSON, count > 0, count == column.texts, column.leadingZeros.count == 0,
      column.numbers > 0 || count >= Self.fewRecords
    else { return }
    add(
      Finding(
        .textNumbers,
        "All \(count) texts of property '\(column.name)' are numbers between quotes, so they "
          + "compare as texts: '10' before '9'.", count: count, samples: column.textNumbers.samples,
        advice: "In expressions: [to-number, [get, \(column.name)]]."))
  }

  private mutating func addTimes(_ column: ColumnProfile) {
    let count = column.zonelessTimes.count
    guard count > 0, (count + column.zonedTimes) * 10 >= column.values * 9 else { return }
    let others =
      column.zonedTimes > 0 ? ", while \(column.zonedTimes) do" : ""
    add(
      Finding(
        .timesWithoutZone,
        "\(count) times of '\(column.name)' do not name their zone\(others); they are taken as UTC.",
        count: count, samples: column.zonelessTimes.samples,
        advice: "Only the order 2014-01-19T06:00 is read as a time; a zone is Z or +02:00."))
  }

  private mutating func addNoProperties(_ count: Int) {
    add(
      Finding(
        .noProperties,
        "\(Self.part(count, of: profiled, "feature")) \(count == 1 ? "has" : "have") no properties.",
        count: count, samples: withoutProperties.samples))
  }

  /// `types:` with one more column.
  private func types(_ column: String, _ type: String) -> Setting {
    var types = subject.csvOptions?.types.mapValues { PropertyValue.string($0.rawValue) } ?? [:]
    types[column] = .string(type)
    return Setting("types", .object(types))
  }

  /// `'a', 'b' and 'c'`; of many the first five.
  static func list(_ names: [String]) -> String {
    let quoted = names.prefix(5).map { "'\($0)'" }
    let rest = names.count > 5 ? " and \(names.count - 5) more" : ""
    return quoted.joined(separator: ", ") + rest
  }
}
