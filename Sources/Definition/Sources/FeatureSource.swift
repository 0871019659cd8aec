import Expressions
package import Features
package import GDAL
package import Ingest
package import Projections
package import Runs
package import Tiling

/// A source of records: a format and the version of its reader.
///
/// A conforming type holds the decoded options of one source. ``SourceRegistry/types`` lists the
/// existing types.
package protocol FeatureSource: Sendable {
  /// The format's name in files, such as `csv`.
  static var type: String { get }

  /// The version of this reader, such as the 1 of `csv.1`.
  static var version: Int { get }

  /// The keys in addition to those that all sources of records have.
  static var keys: [KeySpecification] { get }

  /// Whether `data:` may be an object within the pipeline file.
  static var takesInlineData: Bool { get }

  /// Whether `data:` may be `-`, standard input.
  static var takesStandardInput: Bool { get }

  /// The endings of the names of such files in lower case, the usual one first; a zip file's member
  /// is chosen by them.
  static var endings: [String] { get }

  /// Whether the reader opens the file itself, by its path.
  static var opensFiles: Bool { get }

  /// Whether the data may be a folder.
  static var opensFolders: Bool { get }

  /// Whether an id that records have in the file names one feature, as a table's primary key does, so
  /// that ids which repeat are not numbered.
  static var ownsIDs: Bool { get }

  /// Whether a file may hold tables of tiles beside its records.
  static var mayHoldTiles: Bool { get }

  /// Whether readers tell where records lie in the file and can read some of them alone, see
  /// ``ReadRequest/locates`` and ``ReadRequest/located``.
  static var locatesRecords: Bool { get }

  /// Whether properties that are not wanted are not checked, so that ``ReadRequest/wanted`` affects
  /// which records are rejected.
  static var skipsUnwanted: Bool { get }

  /// Whether a file may be of this format, judging by its first bytes; `false` is certain.
  static func sniff(_ head: UnsafeRawBufferPointer) -> Bool

  /// Decodes the options from a node that passed ``KeyCheck``.
  init(_ keyed: KeyedNode) throws(PipelineError)

  /// Opens a file and returns its records as a stream.
  ///
  /// Records that the request's box or filters exclude may still be delivered.
  ///
  /// - Throws: ``SourceError`` where the file cannot be read, or lacks something that the options
  ///   name.
  func reader(of input: SourceInput, _ request: ReadRequest) throws(SourceError)
    -> any FeatureReader

  /// The aspects that `check` may examine in the bytes of a file beside its records.
  var examination: ExaminedFormat { get }

  /// The reference system of the positions that the reader returns, where these are not longitude and
  /// latitude; `nil` where they are.
  var system: ReferenceSystem? { get }

  /// The records that GDAL converts before the reader gets them; `nil` for data that is read as it
  /// is.
  var conversion: VectorSelection? { get }
}

extension FeatureSource {
  package static var takesInlineData: Bool { false }

  package static var takesStandardInput: Bool { false }

  package static var opensFiles: Bool { false }

  package static var opensFolders: Bool { false }

  package static var ownsIDs: Bool { false }

  package static var mayHoldTiles: Bool { false }

  package static var locatesRecords: Bool { false }

  package static var skipsUnwanted: Bool { true }

  package var examination: ExaminedFormat { .other }

  package var system: ReferenceSystem? { nil }

  package var conversion: VectorSelection? { nil }

  /// The columns of longitude and latitude that the pipeline names, unless they are those of another
  /// reference system.
  package var columnsInDegrees: (x: String, y: String)? {
    guard system == nil, conversion?.system == nil else { return nil }
    let options = (self as? CSVSource)?.options
    guard let x = options?.x ?? conversion?.point?.x, let y = options?.y ?? conversion?.point?.y
    else { return nil }
    return (x, y)
  }
}

/// A request to a reader.
package struct ReadRequest {
  /// The properties that will be read; `nil` for all.
  package var wanted: [String]?

  /// The properties that `select:` names, which all must exist; `nil` for all.
  package var selected: [String]?

  /// Properties that filters read, kept if they exist although they are not selected.
  package var tested: [String] = []

  /// The box of the records of interest; records that do not touch it may be left out.
  package var bounds: GeoBounds?

  /// Conditions on the records of interest; records that fail one may be left out.
  package var conditions: [WhereClause] = []

  /// Whether records that are not delivered are counted, as read and filtered.
  package var countsFiltered = false

  /// Whether records without an id get the identifier that queries give them, made of all their
  /// properties.
  package var identifies = false

  /// Whether batches tell where records lie in the file, as far as the format allows.
  package var locates = false

  /// The records of the file that are read, located before; `nil` for all.
  package var located: LocatedRecords?

  /// The number of threads that may read the file; the records do not depend on it.
  package var threads = 1

  package init() {}

  /// The request for all properties, including those that a format has only on request.
  package var ofAllProperties: ReadRequest {
    var all = self
    all.tested += (wanted ?? []) + (selected ?? [])
    (all.wanted, all.selected) = (nil, nil)
    return all
  }

  /// The request for one of several files, which need not have all that ``selected`` names.
  package var ofPart: ReadRequest {
    guard let selected else { return self }
    var part = self
    part.wanted = (selected + tested).filter { wanted?.contains($0) ?? true }
    part.selected = nil
    return part
  }

  /// Whether a property is requested.
  ///
  /// - Parameter hasSchema: whether the format knows its columns, and thus the ones that `select:`
  ///   leaves out.
  package func keeps(_ name: String, hasSchema: Bool) -> Bool {
    guard wanted?.contains(name) ?? true else { return false }
    return !hasSchema || selected?.contains(name) ?? true || tested.contains(name)
  }
}
