package import Features
import Files
package import Ingest
import OrderedCollections
package import Projections
package import Runs

/// A source of comma-separated values: RFC 4180 and its variations.
package struct CSVSource: FeatureSource {
  package static let type = "csv"
  package static let version = 1
  package static let takesStandardInput = true
  package static let locatesRecords = true
  package static let skipsUnwanted = false
  package static let endings = [".csv", ".tsv", ".tab", ".txt"]

  package let system: ReferenceSystem?

  /// The options for splitting the text; the properties to keep come with a request.
  package let options: CSVOptions

  package static let keys = [
    KeySpecification(
      "columns", .list(of: .string, count: 1...4096),
      "The names of the columns in order, for a file without a header line. '…' stands for any number "
        + "of fields: the names behind it are the last columns."),
    KeySpecification(
      "skip", .integer(0...1000), default: .number(0),
      "The number of lines before the header or the records, such as titles."),
    KeySpecification(
      "header", .boolean,
      "Whether the first line names the columns: true unless 'columns' is given."),
    KeySpecification(
      "delimiter", .string, default: .string(","),
      "One ASCII character between fields, or tab."),
    KeySpecification(
      "encoding", .string, default: .string("utf-8"),
      "The encoding of the text, any that ICU knows, such as windows-1250 or shift_jis; a byte order "
        + "mark is recognised."),
    KeySpecification(
      "decimal", .choice(CSVOptions.DecimalMark.allCases.map(\.rawValue)), default: .string("."),
      "The mark before the decimals of numbers: with ',', 52,52 and 1.234,56 are numbers."),
    KeySpecification(
      "x", .string,
      "The column of longitudes; lng, lon, long, longitude or x by default."),
    KeySpecification(
      "y", .string, "The column of latitudes; lat, latitude or y by default."),
    KeySpecification(
      "geometry", .oneOf([.string, .object(geometry)]),
      "The column that holds the geometry, instead of x and y: WKT, WKB in hexadecimal digits, "
        + "GeoJSON, or two numbers, latitude first; in square brackets longitude first."),
    SystemKey.specification,
    KeySpecification(
      "types", .map(of: .choice(CSVOptions.ColumnType.allCases.map(\.rawValue))),
      "The type of columns that are not to be guessed: string, number or boolean."),
    KeySpecification(
      "nullValues", .list(of: .string, count: 0...64), default: .array([]),
      "Fields that mean null, in addition to empty ones, such as \\N."),
    KeySpecification(
      "extraFields", .choice(CSVOptions.ExtraFields.allCases.map(\.rawValue)),
      default: .string("error"),
      "What becomes of a record of more fields than columns: error rejects it, ignore leaves the "
        + "last fields out, join puts them into the last column with the delimiters."),
    KeySpecification(
      "missingFields", .choice(CSVOptions.MissingFields.allCases.map(\.rawValue)),
      default: .string("error"),
      "What becomes of a record of fewer fields than columns: error rejects it, null leaves the "
        + "columns without a field null."),
  ]

  private static let geometry = ObjectSpecification(
    "geometry",
    [
      KeySpecification(
        "column", .string, isRequired: true, "The column that holds the geometry."),
      KeySpecification(
        "order", .choice(GeometryText.Order.allCases.map(\.rawValue)),
        "The order of two numbers, latlng or lnglat; by default as the name of the column says, lnglat "
          + "in square brackets, otherwise latlng."),
    ])

  /// Returns the column of `geometry:`.
  private static func geometry(
    _ keyed: KeyedNode, columns: [String]?
  ) throws(PipelineError) -> CSVOptions.GeometryColumn? {
    guard let node = keyed.node["geometry"] else { return nil }
    for key in ["x", "y"] where keyed.node[key] != nil {
      throw keyed.fault(key, "'geometry' and '\(key)' both say where a record is. Keep one.")
    }
    var column = CSVOptions.GeometryColumn(name: node.text ?? "")
    if node.text == nil {
      let members = KeyedNode(node, Self.geometry)
      column.name = try members.value("column")
      if node["order"] != nil { column.order = try members.value("order") as GeometryText.Order }
    }
    if let columns, !columns.contains(column.name) {
      throw PipelineError.unknownColumn(
        .definition, column.name, known: columns, at: keyed.place(of: "geometry"))
    }
    return column
  }

  package init(_ keyed: KeyedNode) throws(PipelineError) {
    var options = CSVOptions()
    options.columns = keyed.texts("columns")
    options.header = keyed.bool("header") ?? (options.columns == nil)
    if options.columns == nil, !options.header {
      throw keyed.fault("header", "'header: false' needs 'columns' to name the columns.")
    }
    try Self.findGap(&options, keyed)
    if let columns = options.columns { try Self.refuseTwins(columns, keyed) }
    options.skip = try keyed.value("skip")
    for key in ["x", "y", "id"] {
      if let name = keyed.text(key), let columns = options.columns, !columns.contains(name) {
        throw PipelineError.unknownColumn(
          .definition, name, known: columns, at: keyed.place(of: key))
      }
    }
    options.delimiter = try Self.delimiter(keyed)
    options.encoding = try TextEncoding.value(of: keyed) ?? options.encoding
    options.decimal = try keyed.value("decimal")
    options.geometry = try Self.geometry(keyed, columns: options.columns)
    if options.geometry != nil { options.limits = .geometries }
    options.x = keyed.text("x")
    options.y = keyed.text("y")
    for member in keyed.node["types"]?.members ?? [] {
      options.types[member.key] = member.node.text.flatMap(CSVOptions.ColumnType.init)
    }
    options.nullValues = try keyed.value("nullValues")
    options.extraFields = try keyed.value("extraFields")
    options.missingFields = try keyed.value("missingFields")
    for key in ["extraFields", "missingFields"] where options.gap != nil && keyed.node[key] != nil {
      throw keyed.fault(
        key,
        "'\(key)' and '…' in 'columns' both say how a record of other length is read. Keep one.")
    }
    self.options = options
    system = try SystemKey.system(keyed)
  }

  package var examination: ExaminedFormat { .csv(options) }

  /// Whether the beginning may be CSV: text that is not JSON, markup or a database.
  package static func sniff(_ head: UnsafeRawBufferPointer) -> Bool {
    FileSignature(head) != .sqlite && JSONBeginning(head) == .other
  }

  package func reader(of input: SourceInput, _ request: ReadRequest) throws(SourceError)
    -> any FeatureReader
  {
    var options = options
    options.wanted = request.wanted
    options.select = request.selected
    options.tested = request.tested
    let table = try Self.table(input, delimiter: options.delimiter)
    // Objects of JSON have no bytes as records of CSV.
    options.locates = request.locates && table == nil
    if let located = request.located {
      let head = try input.stream(chunk: Self.headChunk)
      return try CSVReader(head, options: options, at: located.extents)
    }
    return try CSVReader(
      try (table ?? input).stream(), options: options, threads: ReadingThreads(request.threads))
  }

  /// Returns the objects of a JSON document as CSV; `nil` for other data.
  package static func table(
    _ input: SourceInput, delimiter: UInt8
  ) throws(SourceError) -> SourceInput? {
    let head = input.head(tableHead)
    let beginning = head.withUnsafeBytes { JSONBeginning($0) }
    guard beginning == .object || beginning == .array, ObjectTable.isLikely(head),
      let bytes = try ObjectTable.csv(try input.stream(), delimiter: delimiter)
    else { return nil }
    return .bytes(bytes, name: input.name)
  }

  /// The bytes in which the objects of a JSON document begin.
  private static let tableHead = 64 << 10

  /// The bytes per fill where only the names and some records are read.
  private static let headChunk = 16 << 10

  /// Takes `…` out of the columns and notes its place.
  private static func findGap(
    _ options: inout CSVOptions, _ keyed: KeyedNode
  ) throws(PipelineError) {
    guard let columns = options.columns,
      let gap = columns.firstIndex(where: CSVOptions.gapNames.contains)
    else { return }
    options.columns?.remove(at: gap)
    options.gap = gap
    let repeated = columns[(gap + 1)...].firstIndex(where: CSVOptions.gapNames.contains)
    guard repeated == nil, columns.count > 1 else {
      let items = keyed.node["columns"]?.items ?? []
      let place = repeated ?? gap
      throw PipelineError(
        .definition,
        repeated != nil
          ? "'…' stands for the fields between the first columns and the last: there is one at most."
          : "'columns' names no column.",
        at: items.indices.contains(place) ? items[place].place : nil)
    }
  }

  private static func refuseTwins(_ columns: [String], _ keyed: KeyedNode) throws(PipelineError) {
    var seen: Set<String> = []
    for (index, name) in columns.enumerated() where !seen.insert(name).inserted {
      throw PipelineError(
        .definition, "the column '\(name)' is named twice.",
        at: keyed.node["columns"]?.items?[index].place)
    }
  }

  private static func delimiter(_ keyed: KeyedNode) throws(PipelineError) -> UInt8 {
    let text: String = try keyed.value("delimiter")
    if text == "tab" || text == "\\t" { return UInt8(ascii: "\t") }
    guard text.utf8.count == 1, let byte = text.utf8.first, byte >= 0x20 || byte == 0x09,
      byte < 0x7F, byte != UInt8(ascii: "\"")
    else {
      throw keyed.fault(
        "delimiter",
        "'delimiter' must be one ASCII character other than a quote, or tab, but it is '\(text)'.")
    }
    return byte
  }
}
