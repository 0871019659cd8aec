package import OrderedCollections

/// Options for reading a CSV file; the defaults are those of a pipeline file that names only
/// `data:`.
package struct CSVOptions: Sendable {
  /// The type that `types:` gives a column.
  package enum ColumnType: String, CaseIterable, Sendable {
    /// A text, even if it looks like a number: `01234` and `12` stay strings.
    case string
    /// A number; a record with anything else is rejected (`invalidValue`).
    case number
    /// A Boolean, `true` or `false` in any case; a record with anything else is rejected
    /// (`invalidValue`).
    case boolean
  }

  /// The mark between the whole part of a number and its decimals.
  package enum DecimalMark: String, CaseIterable, Sendable {
    case point = "."
    /// `52,52`, also with digits in groups: `1.234,56`. A coordinate may have a point as well.
    case comma = ","
  }

  /// The treatment of a record with more fields than columns.
  package enum ExtraFields: String, CaseIterable, Sendable {
    /// The record is rejected (`raggedRow`).
    case error
    /// The fields after the last column are dropped.
    case ignore
    /// The last column holds its own field and all fields after it, with the delimiters between
    /// them.
    case join
  }

  /// The treatment of a record with fewer fields than columns.
  package enum MissingFields: String, CaseIterable, Sendable {
    /// The record is rejected (`raggedRow`).
    case error
    /// The columns without a field are null.
    case null
  }

  /// The names of the columns by position. Without ``header`` the file has no header line; with it
  /// that line is skipped in favour of these names.
  package var columns: [String]?

  /// The number of ``columns`` before the gap that `…` stands for, where the list has one: the
  /// others are the last fields of a record, whatever their number.
  package var gap: Int?

  /// The number of lines before the names or records, such as titles.
  package var skip = 0

  /// Whether the first record names the columns.
  package var header = true

  /// The delimiter: one ASCII byte other than a quote, a line end or NUL. A first line `sep=;` of the
  /// file overrides it.
  package var delimiter = UInt8(ascii: ",")

  package var encoding = TextEncoding.utf8

  package var decimal = DecimalMark.point

  /// Whether spaces and tabs around unquoted fields, and around the quotes of quoted ones, are
  /// dropped. Text between quotes is kept as it is.
  package var trims = true

  /// The column of the longitude in degrees; `nil` for the first of ``longitudeNames`` that exists.
  package var x: String?

  /// The column of the latitude in degrees; `nil` for the first of ``latitudeNames`` that exists.
  package var y: String?

  /// A column of whole geometries.
  package struct GeometryColumn: Hashable, Sendable {
    /// The name of the column.
    package var name: String
    /// The order of two numbers; `nil` for the usual one, which is GeoJSON's for a JSON array and
    /// latitude first for other texts.
    package var order: GeometryText.Order?

    /// The order that is set, or that the name tells.
    package var knownOrder: GeometryText.Order? { order ?? CoordinateName.order(in: name) }

    package init(name: String, order: GeometryText.Order? = nil) {
      self.name = name
      self.order = order
    }
  }

  /// The column that holds the geometry, instead of ``x`` and ``y``; `nil` for these.
  package var geometry: GeometryColumn?

  /// Whether records have coordinates. If not, coordinate columns are not looked for and every
  /// record is one without geometry: it can be counted and filtered, but not drawn.
  package var hasGeometry = true

  /// The columns to keep, which all must exist; `nil` keeps all.
  package var select: [String]?

  /// Columns that filters read, kept if they exist although they are not selected.
  package var tested: [String] = []

  /// The columns that will be read, of those that exist; `nil` for all.
  package var wanted: [String]?

  /// Types by column name; the columns must exist. Other columns are typed value by value: numbers
  /// of the JSON grammar, `true` and `false`, otherwise texts.
  package var types: OrderedDictionary<String, ColumnType> = [:]

  /// Whether ``select``, ``types`` and the coordinates may name columns that do not exist, as in a
  /// log that has only some columns of its source. Without both coordinates, a record has no
  /// position.
  package var allowsMissingColumns = false

  /// Whether the file may be empty; it then has neither columns nor records.
  package var allowsEmpty = false

  /// Unquoted texts that mean null, such as `\N`. An empty unquoted field always does; empty quotes
  /// are an empty string.
  package var nullValues: [String] = []

  package var extraFields = ExtraFields.error

  package var missingFields = MissingFields.error

  package var limits = CSVLimits()

  /// Whether batches tell where records lie in the file, if it is in UTF-8.
  package var locates = false

  package init() {}

  /// The words in ``columns`` for the gap.
  package static let gapNames = ["…", "..."]

  /// Returns the fields of a record that have a column.
  package func withoutGap(_ record: [String]) -> [String] {
    guard let gap, let columns, record.count > columns.count else { return record }
    return Array(record[..<gap] + record.suffix(columns.count - gap))
  }

  /// Names of longitude columns, most specific first; matched regardless of case.
  package static let longitudeNames = ["lng", "lon", "long", "longitude", "x"]

  /// Names of latitude columns.
  package static let latitudeNames = ["lat", "latitude", "y"]

  /// Returns the byte of a delimiter as a pipeline file spells it: one ASCII character, `tab` or
  /// `\t`.
  package static func delimiter(named name: String) -> UInt8? {
    if name == "tab" || name == "\\t" { return UInt8(ascii: "\t") }
    guard name.utf8.count == 1, let byte = name.utf8.first else { return nil }
    return isDelimiter(byte) ? byte : nil
  }

  static func isDelimiter(_ byte: UInt8) -> Bool {
    byte > 0 && byte < 0x80 && !"\"\r\n".utf8.contains(byte)
  }
}

/// Limits on the memory that a file may demand; a record beyond them is rejected (`tooLarge`).
/// Field and record together stay well under 1 GiB, because positions in the buffer are 30 bits
/// wide.
package struct CSVLimits: Hashable, Sendable {
  /// The limits for a table with a column of geometries, whose fields may be as long as records.
  package static var geometries: CSVLimits {
    var limits = CSVLimits()
    limits.field = 64 << 20
    limits.record = 64 << 20
    return limits
  }

  /// Maximum bytes of one field, including quotes and surrounding spaces.
  package var field = 1 << 20

  /// Maximum bytes of one record.
  package var record = 16 << 20

  /// Maximum number of columns; a file with more is refused.
  package var columns = 4096

  package init() {}
}
