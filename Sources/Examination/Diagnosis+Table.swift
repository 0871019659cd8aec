import Features
import Ingest
import JSON
import OrderedCollections

// Findings that explain why a table cannot be read as it is: its delimiter, its header line, its
// coordinate columns.
extension Diagnosis {
  mutating func addTableFindings(_ table: TableHead, _ options: CSVOptions) {
    guard let first = table.records.first else { return }
    addDelimiter(table, options)
    if options.header, addTitles(table) { return }
    let hasHeader = options.header
    let names = options.columns ?? (hasHeader ? first : [])
    let records = table.records[(hasHeader ? 1 : 0)...].map { options.withoutGap($0) }[...]
    let columns = names.enumerated().map {
      TableColumn(
        name: $0.element, place: $0.offset, records: records, decimal: options.decimal)
    }
    if options.columns == nil, isRecord(first, columns) {
      return addRecordAsHeader(first, table)
    }
    if !hasHeader, isHeader(first, table, columns, options) {
      return add(
        Finding(
          .headerAsRecord, "The first line names the columns and is read as a record.",
          samples: [Finding.Sample(line: table.lines[0], text: first.joined(separator: " · "))],
          settings: [Setting("header", .bool(true))]))
    }
    guard options.hasGeometry, options.geometry == nil else { return }
    addCoordinateColumns(columns, options, records)
  }

  private mutating func addDelimiter(_ table: TableHead, _ options: CSVOptions) {
    guard table.delimiter != options.delimiter else { return }
    let right = TableHead.name(of: table.delimiter)
    add(
      Finding(
        .wrongDelimiter,
        "The fields are divided by \(TableHead.words(for: table.delimiter)), not by "
          + "\(TableHead.words(for: options.delimiter)): \(table.width.fields) in "
          + "\(Int(table.width.share * 100)) % of the first lines.",
        count: table.records.count, settings: [Setting("delimiter", .string(right))]))
  }

  // MARK: Header

  /// Adds a finding for lines above the names of the columns.
  ///
  /// - Returns: whether there are any.
  private mutating func addTitles(_ table: TableHead) -> Bool {
    guard let lines = table.titleLines else { return false }
    add(
      Finding(
        .titleRows,
        "The names of the columns are in line \(lines + 1), below "
          + (lines == 1 ? "a line" : "\(lines) lines") + " of titles.", count: lines,
        samples: [Finding.Sample(line: table.lines[0], text: table.records[0].first ?? "")],
        settings: [Setting("skip", .number(Double(lines)))]))
    return true
  }

  /// Whether the assumed header line is a record: two or more of the names are numbers in columns
  /// of numbers, and none is the name of a coordinate.
  private func isRecord(_ names: [String], _ columns: [TableColumn]) -> Bool {
    let known = CSVOptions.longitudeNames + CSVOptions.latitudeNames
    guard !names.contains(where: { known.contains($0.lowercased()) }) else { return false }
    let measured = columns.filter { $0.isNumeric && isNumber(names[$0.place]) }
    return measured.contains { isFraction(names[$0.place]) } && measured.count >= 2
  }

  private func isNumber(_ text: String) -> Bool { number(text) != nil }

  private func isFraction(_ text: String) -> Bool {
    number(text).map { $0.rounded(.towardZero) != $0 } ?? false
  }

  private func number(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { NumberGrammar.parseCoordinate(UnsafeRawBufferPointer($0)) }
  }

  private mutating func addRecordAsHeader(_ first: [String], _ table: TableHead) {
    let sample = first.prefix(6).joined(separator: " · ")
    if let known = KnownTable(first) {
      return add(
        Finding(
          .recordAsHeader, "The first line is a record of \(known.words), which has no names.",
          samples: [Finding.Sample(line: table.lines[0], text: sample)],
          settings: [Setting("columns", .array(known.columns.map(PropertyValue.string)))]))
    }
    let columns = first.indices.map {
      TableColumn(name: "column_\($0 + 1)", place: $0, records: table.records[...])
    }
    var names = columns.map(\.name)
    let place = Self.degrees(columns)
    if let place, place.isSure { (names[place.x], names[place.y]) = ("lng", "lat") }
    var finding = Finding(
      .recordAsHeader, "The first line is a record and is read as the names of the columns.",
      samples: [Finding.Sample(line: table.lines[0], text: sample)],
      settings: [Setting("columns", .array(names.map(PropertyValue.string)))],
      advice: "Name the columns.")
    if let place, !place.isSure {
      finding.settings += [
        Setting("x", .string(names[place.x])), Setting("y", .string(names[place.y])),
      ]
    }
    if let place {
      finding.advice = (place.isSure ? "" : Self.guess + " ") + "The other names are up to you."
    }
    add(finding)
  }

  private static let guess = "Which of the two is the longitude is a guess."

  /// Returns two columns that may be longitude and latitude by their values, if there are any, and
  /// whether a name, a letter or the range decides which is which.
  ///
  /// Neighbours with three decimals or more are coordinates; so are the only two columns that are not
  /// whole.
  static func degrees(_ columns: [TableColumn]) -> (x: Int, y: Int, isSure: Bool)? {
    let likely = columns.filter { $0.looksLikeDegrees(limit: 180) }
    func precision(_ pair: (TableColumn, TableColumn)) -> Int {
      pair.1.place - pair.0.place == 1
        ? min(pair.0.averageDecimals, pair.1.averageDecimals) : 0
    }
    let pairs = Array(zip(likely, likely.dropFirst()))
    let most = pairs.map(precision).max() ?? 0
    guard most >= TableColumn.exact || likely.count == 2,
      let (left, right) = pairs.first(where: { precision($0) == most }),
      left.magnitude <= 90 || right.magnitude <= 90
    else { return nil }
    func isLatitude(_ column: TableColumn) -> Bool {
      column.axis == .latitude || CoordinateName(column.name).means(longitude: false)
    }
    func isLongitude(_ column: TableColumn) -> Bool {
      column.magnitude > 90 || column.axis == .longitude
        || CoordinateName(column.name).means(longitude: true)
    }
    if isLongitude(left) || isLatitude(right) { return (left.place, right.place, true) }
    if isLongitude(right) || isLatitude(left) { return (right.place, left.place, true) }
    var order = OrderEvidence()
    for case (let first?, let second?) in zip(left.degrees, right.degrees) {
      order.add(x: first, y: second)
    }
    return order.verdict == .exchanged
      ? (right.place, left.place, false) : (left.place, right.place, false)
  }

  /// Whether the first record of a file without a header is one: names in columns of numbers.
  private func isHeader(
    _ first: [String], _ table: TableHead, _ columns: [TableColumn], _ options: CSVOptions
  ) -> Bool {
    guard table.records.count > 1 else { return false }
    let measured = columns.filter { column in
      let rest = TableColumn(
        name: column.name, place: column.place, records: table.records.dropFirst())
      return rest.isNumeric && rest.numbers == rest.values
    }
    return measured.count >= 2
      && measured.allSatisfy { column in
        guard first.indices.contains(column.place) else { return false }
        return first[column.place].unicodeScalars.first?.properties.isAlphabetic ?? false
      }
  }

  // MARK: Coordinates

  private mutating func addCoordinateColumns(
    _ columns: [TableColumn], _ options: CSVOptions, _ records: ArraySlice<[String]>
  ) {
    let all = columns.map(\.name)
    func isThere(_ name: String?, _ known: [String]) -> Bool {
      if let name { return all.contains(name) }
      return all.contains { known.contains($0.lowercased()) }
    }
    let hasX = isThere(options.x, CSVOptions.longitudeNames)
    let hasY = isThere(options.y, CSVOptions.latitudeNames)
    if hasX, hasY {
      addColumnsInDegrees(columns, options)
      return addCommas(columns, coordinateNames)
    }
    var finding = Finding(
      .coordinateColumns,
      "No column is known as \(hasX ? "latitude" : hasY ? "longitude" : "longitude or latitude").")
    let shown = Self.list(all)
    if let (x, y) = likely(columns, isSure: true) {
      finding.settings = [Setting("x", .string(x)), Setting("y", .string(y))]
    } else if let column = columns.first(where: { $0.geometryForm != nil }) {
      let (setting, words) = geometry(column)
      finding.message += " " + words
      finding.settings = [setting]
    } else if let place = places(columns) {
      finding.settings = [Setting("x", .string(place.x)), Setting("y", .string(place.y))]
      finding.advice = place.isSure ? "" : Self.guess
    } else {
      finding.advice =
        "No column looks like coordinates either (\(shown.withoutControls)): "
        + (PlaceCode.sentence(columns, records) ?? "is it a table to be joined to places?")
    }
    add(finding)
    var found: (String, String)?
    if case .string(let x)? = finding.settings.first(where: { $0.key == "x" })?.value,
      case .string(let y)? = finding.settings.first(where: { $0.key == "y" })?.value
    {
      found = (x, y)
    }
    addCommas(columns, found)
  }

  /// Adds a finding where the records of a file that is no text have their places in two columns.
  ///
  /// - Returns: a sentence about a column of codes, if they have their places in that; otherwise empty.
  mutating func adviceOnPlaces() -> String {
    let columns = examination.columns.enumerated().map {
      TableColumn(name: $0.element.name, place: $0.offset, records: bareRecords[...])
    }
    guard let place = places(columns) else {
      return PlaceCode.sentence(columns, bareRecords[...]) ?? ""
    }
    // Only GDAL makes points of the columns of a database.
    let type = subject.foreignTexts == nil ? [Setting("type", .string("ogr"))] : []
    add(
      Finding(
        .coordinateColumns,
        "No record has a geometry, but the columns '\(place.x)' and '\(place.y)' hold coordinates.",
        settings: type + [Setting("x", .string(place.x)), Setting("y", .string(place.y))],
        advice: place.isSure ? "" : Self.guess))
    return ""
  }

  /// Returns the columns that most look like longitude and latitude, and whether which is which is
  /// sure; `nil` where none do.
  private func places(_ columns: [TableColumn]) -> (x: String, y: String, isSure: Bool)? {
    if let (x, y) = likely(columns) { return (x, y, true) }
    return Self.degrees(columns).map { (columns[$0.x].name, columns[$0.y].name, $0.isSure) }
  }

  /// The absolute value of a longitude, in degrees, beyond which readers reject it.
  private static let longitudeLimit = 540.0

  /// Adds a finding where the columns with well-known names hold coordinates of a projection, while
  /// others hold degrees: `X` and `Y` in metres beside `Latitude` and `Longitud`.
  private mutating func addColumnsInDegrees(_ columns: [TableColumn], _ options: CSVOptions) {
    guard options.x == nil, options.y == nil, let names = coordinateNames,
      let x = columns.first(where: { $0.name == names.x }),
      let y = columns.first(where: { $0.name == names.y }),
      x.magnitude > Self.longitudeLimit || y.magnitude > Self.longitudeLimit,
      let degrees = likely(columns.filter { $0.looksLikeDegrees(limit: 180) })
    else { return }
    let other = x.magnitude > Self.longitudeLimit ? x : y
    add(
      Finding(
        .coordinateColumns,
        "Column '\(other.name)' holds no degrees, its values are up to "
          + "\(CoordinateProfile.text(other.magnitude)); '\(degrees.x)' and '\(degrees.y)' do.",
        settings: [Setting("x", .string(degrees.x)), Setting("y", .string(degrees.y))]))
  }

  /// Returns the setting for a column of geometries, and a sentence about it.
  private func geometry(_ column: TableColumn) -> (Setting, String) {
    let words = column.geometryForm?.words ?? ""
    guard column.geometryForm == .pair, let pair = column.pair,
      let value = CoordinatePair(pair.text)
    else {
      return (
        Setting("geometry", .string(column.name)), "Column '\(column.name)' holds \(words)."
      )
    }
    let usual = value.order(known: CoordinateName.order(in: column.name))
    // Latitudes are not beyond 90.
    let order: GeometryText.Order =
      pair.first > 90 ? .lnglat : pair.second > 90 ? .latlng : usual
    let setting: PropertyValue =
      order != usual
      ? .object(["column": .string(column.name), "order": .string(order.rawValue)])
      : .string(column.name)
    return (
      Setting("geometry", setting),
      "Column '\(column.name)' holds \(words), '\(pair.text)', read as \(order.words)."
    )
  }

  /// Returns the columns whose names most suggest longitude and latitude.
  ///
  /// - Parameter isSure: whether both names must mean nothing else.
  private func likely(_ columns: [TableColumn], isSure: Bool = false) -> (x: String, y: String)? {
    let measured = columns.filter(\.isMeasured)
    // Degrees beside metres of a grid.
    let names =
      [measured.filter { $0.magnitude <= 180 }, measured].lazy.map { $0.map(\.name) }
      .first { CoordinateName.pair(among: $0) != nil } ?? []
    guard let (x, y) = CoordinateName.pair(among: names) else { return nil }
    guard
      !isSure
        || CoordinateName(names[x]).means(longitude: true)
          && CoordinateName(names[y]).means(longitude: false)
    else { return nil }
    return (names[x], names[y])
  }

  /// - Parameter coordinates: the columns of longitude and latitude, if they are known.
  private mutating func addCommas(
    _ columns: [TableColumn], _ coordinates: (x: String, y: String)?
  ) {
    let commas = columns.filter { column in
      let isCoordinate = coordinates.map { [$0.x, $0.y].contains(column.name) } ?? false
      return column.hasDecimalCommas || isCoordinate && column.mixesDecimalMarks
    }
    guard !commas.isEmpty else { return }
    add(Self.commas(.commaDecimals, commas.map(\.name)))
  }

  /// Returns the finding of columns whose numbers have a decimal comma.
  static func commas(_ kind: Finding.Kind, _ names: [String]) -> Finding {
    Finding(
      kind, "The numbers of \(list(names)) have a decimal comma.", count: names.count,
      settings: [Setting("decimal", .string(","))])
  }
}
