import Features
import Ingest
import OrderedCollections

// Findings from the values of the properties.
extension Diagnosis {
  /// The number of records below which equal values mean nothing.
  private static let fewRecords = 20

  mutating func addColumnFindings() {
    addMojibake()
    addConstants()
    addLeadingZeros()
    addSpelledNumbers()
    addNamedNulls()
    addCommaNumbers()
    addTextNumbers()
    addTextsAmongNumbers()
    addTimes()
    addUnreadTimes()
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
        advice: "iconv -f UTF-8 -t WINDOWS-1252 FILE reverts it if all of the file is affected."))
  }

  /// Adds a finding for columns that carry no information: one distinct value, or none.
  private mutating func addConstants() {
    guard profiled >= Self.fewRecords, !subject.isVectorTiles else { return }
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

  private mutating func addLeadingZeros() {
    let columns = examination.columns.filter { $0.leadingZeros.count > 0 && $0.numbers > 0 }
    guard !columns.isEmpty else { return }
    let all = Self.all(columns, \.leadingZeros)
    add(
      Finding(
        .leadingZeros,
        "C\(Self.list(columns).dropFirst()) \(columns.count == 1 ? "has" : "have") numbers and \(all.count) "
          + "texts of digits that begin with 0: codes, which compare and sort wrongly as numbers.",
        count: all.count, samples: all.samples, settings: [asTexts(columns)]))
  }

  /// Adds a finding for numbers whose spelling matters, which are equal to others as numbers.
  private mutating func addSpelledNumbers() {
    guard let options = subject.csvOptions else { return }
    let coordinates = coordinateNames.map { [$0.x, $0.y] } ?? []
    let columns = examination.columns.filter {
      $0.spelledNumbers.count > 0 && !coordinates.contains($0.name)
        && options.types[$0.name] == nil
    }
    guard !columns.isEmpty else { return }
    let all = Self.all(columns, \.spelledNumbers)
    let example = all.samples.first.map { ", such as '\($0.text)'," } ?? ""
    add(
      Finding(
        .spelledNumbers,
        "C\(Self.list(columns).dropFirst()) \(columns.count == 1 ? "has" : "have") "
          + "\(all.count == 1 ? "a number" : "\(all.count) numbers")\(example) that "
          + "\(all.count == 1 ? "looks" : "look") like codes: they are shown as they are spelled, but "
          + "compare and sort as numbers, and programs that read taps may round them.",
        count: all.count, samples: all.samples, settings: [asTexts(columns)]))
  }

  /// Returns the setting that makes columns texts.
  private func asTexts(_ columns: [ColumnProfile]) -> Setting {
    var types = subject.csvOptions?.types.mapValues { PropertyValue.string($0.rawValue) } ?? [:]
    for column in columns { types[column.name] = .string("string") }
    return Setting("types", .object(types))
  }

  /// Adds a finding for columns that would be numbers if the comma before their decimals were read.
  private mutating func addCommaNumbers() {
    // Between commas, `3,2` in quotes is more often a pair or a result.
    guard let options = subject.csvOptions, options.decimal == .point,
      options.delimiter != UInt8(ascii: ","), !found(.commaDecimals)
    else { return }
    let columns = examination.columns.filter {
      $0.decimalCommas.count * 5 >= $0.values * 4 && $0.hasCertainComma
        && options.types[$0.name] != .string
    }
    guard !columns.isEmpty else { return }
    var finding = Self.commas(.commaNumbers, columns.map(\.name))
    finding.samples = Self.all(columns, \.decimalCommas).samples
    add(finding)
  }

  private mutating func addNamedNulls() {
    guard let options = subject.csvOptions else { return }
    let columns = examination.columns.filter {
      $0.namedNulls.count > 0 && $0.numbers * 2 > $0.values
    }
    guard !columns.isEmpty else { return }
    let all = Self.all(columns, \.namedNulls)
    var names: [String] = []
    for name in columns.flatMap(\.nullNames) where !names.contains(name) { names.append(name) }
    add(
      Finding(
        .namedNulls,
        "C\(Self.list(columns).dropFirst()) \(columns.count == 1 ? "has" : "have") numbers and \(all.count) times "
          + "\(Self.list(names)), which is a text here, not null.",
        count: all.count, samples: all.samples,
        settings: [
          Setting("nullValues", .array((options.nullValues + names).map(PropertyValue.string)))
        ]))
  }

  private mutating func addTextNumbers() {
    let columns = examination.columns.filter { column in
      // Digits of one length are codes, and rightly texts.
      column.textNumbers.count > 0 && column.textNumbers.count == column.texts
        && column.shortestText < column.longestText
        && (column.numbers > 0 || column.texts >= Self.fewRecords)
    }
    guard subject.isJSON, !columns.isEmpty else { return }
    let all = Self.all(columns, \.textNumbers)
    add(
      Finding(
        .textNumbers,
        "All texts of \(Self.list(columns)) are numbers between quotes, so they compare as texts: "
          + "'10' before '9'.", count: all.count, samples: all.samples,
        advice: "In expressions: [to-number, [get, \(columns[0].name)]]."))
  }

  private mutating func addTextsAmongNumbers() {
    for usage in subject.numbers {
      guard let census = numbers[usage], let message = usage.message(census),
        let first = census.first
      else { continue }
      add(
        Finding(
          .textsAmongNumbers, message, count: census.texts,
          samples: [Finding.Sample(file: first.file, line: first.line, text: first.message)],
          advice: usage.advice(census, hasNullValues: subject.csvOptions != nil)))
    }
  }

  private mutating func addTimes() {
    let columns = examination.columns.filter {
      $0.zonelessTimes.count > 0
        && ($0.zonelessTimes.count + $0.zonedTimes) * 10 >= $0.values * 9
    }
    guard !columns.isEmpty else { return }
    let all = Self.all(columns, \.zonelessTimes)
    let zoned = columns.reduce(0) { $0 + $1.zonedTimes }
    add(
      Finding(
        .timesWithoutZone,
        "\(all.count) times of \(Self.list(columns)) do not name their zone"
          + (zoned > 0 ? ", while \(zoned) do" : "") + "; they are taken as UTC.",
        count: all.count, samples: all.samples, advice: "A zone is Z or +02:00 at the end."))
  }

  private mutating func addUnreadTimes() {
    let columns = examination.columns.filter { $0.unreadTimes.count * 10 >= $0.values * 9 }
      .filter { $0.values > 0 }
    guard !columns.isEmpty else { return }
    let all = Self.all(columns, \.unreadTimes)
    add(
      Finding(
        .timesWithoutZone,
        "\(all.count) times of \(Self.list(columns)) are in a form that is not read as a time, "
          + "and do not name their zone.", count: all.count, samples: all.samples,
        advice: "Times are read as 2014-01-19T06:00:00Z; others stay texts."))
  }

  private mutating func addNoProperties(_ count: Int) {
    add(
      Finding(
        .noProperties,
        "\(Self.part(count, of: profiled, "feature")) \(count == 1 ? "has" : "have") no properties.",
        count: count, samples: withoutProperties.samples))
  }

  /// Returns the occurrences in several columns combined.
  private static func all(
    _ columns: [ColumnProfile], _ occurrences: (ColumnProfile) -> Occurrences
  ) -> Occurrences {
    columns.reduce(into: Occurrences()) { $0.add(occurrences($1)) }
  }

  private static func list(_ columns: [ColumnProfile]) -> String {
    "column\(columns.count == 1 ? "" : "s") " + list(columns.map(\.name))
  }

  /// Returns names as a list, `'a', 'b', 'c'`; only the first five of many.
  static func list(_ names: [String]) -> String {
    let quoted = names.prefix(5).map { "'\($0)'" }
    let rest = names.count > 5 ? " and \(names.count - 5) more" : ""
    return quoted.joined(separator: ", ") + rest
  }
}
