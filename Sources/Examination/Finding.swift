package import Features
import Ingest

/// A problem or peculiarity in the data of a source, with its remedy.
package struct Finding: Hashable, Sendable {
  /// The severity of a finding.
  package enum Severity: String, Hashable, Sendable {
    /// Records are lost or drawn in the wrong place.
    case problem
    /// The source is usable, but may not mean what it seems to.
    case hint
  }

  /// The kind of a finding; the raw value is its name in reports, which have the findings in the
  /// order of the cases.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The file is of another type than the source says.
    case wrongType = "wrong_type"
    /// The text has another encoding than the source says.
    case wrongEncoding = "wrong_encoding"
    /// The fields are separated by another character.
    case wrongDelimiter = "wrong_delimiter"
    /// Titles stand above the names of the columns.
    case titleRows = "title_rows"
    /// The first record was taken for the names of the columns.
    case recordAsHeader = "record_as_header"
    /// The names of the columns were taken for a record.
    case headerAsRecord = "header_as_record"
    /// No column was recognised as longitude or latitude.
    case coordinateColumns = "coordinate_columns"
    /// Latitudes stand where longitudes are expected.
    case swappedCoordinates = "swapped_coordinates"
    /// Two numbers in one column, whose order the pipeline does not say.
    case pairOrder = "pair_order"
    /// Two columns of degrees whose order neither their names nor their range tells, or whose places
    /// lie on land only if it is not the order that their names tell.
    case guessedOrder = "guessed_order"
    case radians
    /// Coordinates of a projection.
    case metres
    /// Degrees times a power of ten.
    case scaledDegrees = "scaled_degrees"
    /// Coordinates such as `48,2`.
    case commaDecimals = "comma_decimals"
    /// Coordinates on another reference system, as the file itself says.
    case referenceSystem = "reference_system"
    /// The reader or the pipeline refuses the source for another reason.
    case unreadable
    /// Records that a build rejects, more than are tolerated.
    case rejectedRecords = "rejected_records"
    /// Two records have one id, and `onDuplicateId` does not say which one counts.
    case duplicateIDs = "duplicate_ids"
    /// The source has no records.
    case noRecords = "no_records"
    /// The filters leave nothing of the source.
    case allFiltered = "all_filtered"
    /// A filter or layer uses a property that no record has.
    case unknownProperty = "unknown_property"
    /// An answer of a service that says it lacks records.
    case incompleteAnswer = "incomplete_answer"
    /// No record has a geometry.
    case noGeometry = "no_geometry"
    /// Positions between the map's end and the poles.
    case beyondMap = "beyond_map"
    /// Rings that were open in the file and were closed.
    case openRings = "open_rings"
    /// Edges longer than 270°, which are drawn the short way.
    case turnedEdges = "turned_edges"
    /// Text that was decoded wrongly at some point.
    case mojibake
    /// Positions at longitude 0, latitude 0.
    case nullIsland = "null_island"
    case longitudeBeyond180 = "longitude_beyond_180"
    /// Every position is a whole number of degrees.
    case wholeDegrees = "whole_degrees"
    /// A large part of the records lies at one and the same place.
    case crowdedPosition = "crowded_position"
    /// Records that repeat another one in every value.
    case repeatedRecords = "repeated_records"
    /// Columns whose value is the same in all records.
    case constantColumns = "constant_columns"
    /// Digits with a leading zero among numbers: codes, not quantities.
    case leadingZeros = "leading_zeros"
    /// Numbers whose spelling matters: `5.10`, `12E3`, identifiers beyond 2⁵³.
    case spelledNumbers = "spelled_numbers"
    /// Words such as `N/A` among numbers.
    case namedNulls = "named_nulls"
    /// Columns of numbers with a decimal comma, which are read as texts.
    case commaNumbers = "comma_numbers"
    /// Texts in a property that the pipeline uses as a number.
    case textsAmongNumbers = "texts_among_numbers"
    /// Numbers that a typed file gives as texts.
    case textNumbers = "text_numbers"
    /// Times that do not say their zone.
    case timesWithoutZone = "times_without_zone"
    case mixedGeometry = "mixed_geometry"
    /// Areas that are hidden by others around them.
    case nestedAreas = "nested_areas"
    /// Rings with the wrong winding order.
    case ringWinding = "ring_winding"
    /// A `bbox` that does not match the positions.
    case wrongBounds = "wrong_bounds"
    /// A `crs` member, which RFC 7946 removed.
    case oldReferenceSystem = "old_reference_system"
    case noProperties = "no_properties"

    package var severity: Severity {
      switch self {
      case .wrongType, .wrongEncoding, .wrongDelimiter, .titleRows, .recordAsHeader,
        .headerAsRecord,
        .coordinateColumns, .swappedCoordinates, .radians, .metres, .scaledDegrees, .commaDecimals,
        .referenceSystem, .unreadable, .rejectedRecords, .duplicateIDs:
        .problem
      default: .hint
      }
    }
  }

  /// A place where the finding shows.
  package struct Sample: Hashable, Sendable {
    /// The file, if the source has several and it is known.
    package var file: String?
    /// Line in the file, from 1.
    package var line: Int
    /// Column in bytes, from 1; 0 when the whole record is meant.
    package var column: Int
    /// The text there; empty where the place says it all.
    package var text: String

    package init(file: String? = nil, line: Int, column: Int = 0, text: String = "") {
      self.file = file
      self.line = line
      self.column = column
      self.text = text.withoutControls
    }
  }

  package var kind: Kind

  /// A sentence that says what was found and why it is suspicious.
  package var message: String

  /// The number of affected records, positions or columns, whatever the sentence counts; at least
  /// 1.
  package var count: Int

  /// The first places, at most three, in the order of the file.
  package var samples: [Sample] = []

  /// Keys of the source in the pipeline file that resolve the finding; empty where none can.
  package var settings: [Setting] = []

  /// Advice on the file where no key helps, or a caution before setting one.
  package var advice = ""

  package var severity: Severity { kind.severity }

  /// The finding and its remedy, on one line.
  package var sentence: String {
    let keys = settings.map { "'\($0.yaml)'" }.joined(separator: " and ")
    return [message, keys.isEmpty ? "" : "Set \(keys).", advice].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  package init(
    _ kind: Kind, _ message: String, count: Int = 1, samples: [Sample] = [],
    settings: [Setting] = [], advice: String = ""
  ) {
    self.kind = kind
    self.message = message.withoutControls
    self.count = count
    self.samples = samples
    self.settings = settings
    self.advice = advice
  }
}

/// One key of a source in the pipeline file, with its value.
package struct Setting: Hashable, Sendable {
  package var key: String
  package var value: PropertyValue

  package init(_ key: String, _ value: PropertyValue) {
    self.key = key
    self.value = value
  }

  /// The setting as YAML on one line, `key: value`.
  package var yaml: String { "\(key): \(FlowYAML.text(value))" }
}
