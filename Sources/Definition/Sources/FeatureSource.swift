import Expressions
package import Features
import Files
package import Ingest
import Platform
package import Runs
package import SystemPackage
package import Tiling
package import Unpacking

/// A source of records: a format and the version of its reader.
///
/// A conforming type holds the decoded options of one source. ``SourceRegistry/types`` lists the
/// existing types; nothing else knows them by name.
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
  var examination: ExaminationSubject.Format { get }
}

extension FeatureSource {
  package static var takesInlineData: Bool { false }

  package static var takesStandardInput: Bool { false }

  package static var opensFiles: Bool { false }

  package var examination: ExaminationSubject.Format { .other }
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

/// The readable data of a source: a local file, bytes of the pipeline file, standard input, or what
/// a packed file unpacks to.
package enum SourceInput {
  /// - Parameter name: the name of the file in messages; differs from its path where it was
  ///   fetched.
  case file(FilePath, name: String)
  case bytes([UInt8], name: String)
  case spooled(SpooledInput)
  case unpacked(UnpackedFile, name: String)

  /// The name of the data in messages.
  var name: String {
    switch self {
    case .file(_, let name), .bytes(_, let name), .unpacked(_, let name): name
    case .spooled: SpooledInput.name
    }
  }

  /// Opens the data as one stream.
  package func stream() throws(SourceError) -> ByteSource {
    switch self {
    case .file(let path, let name): try ByteSource(path: path, name: name)
    case .bytes(let bytes, let name): ByteSource(bytes: bytes, name: name)
    case .spooled(let input): try ByteSource(sharing: input.file, name: name)
    case .unpacked(let unpacked, let name): try ByteSource(sharing: unpacked.file, name: name)
    }
  }

  /// Whether the data is a regular file or in memory; a pipe delivers its bytes once.
  package var canBeReadAgain: Bool {
    guard case .file(let path, _) = self else { return true }
    return FileStatus(path)?.kind == .file
  }

  /// Returns the first bytes of the data, at most `count`; empty for anything but a regular file or
  /// memory.
  package func head(_ count: Int = 4096) -> [UInt8] {
    switch self {
    case .bytes(let bytes, _): return Array(bytes.prefix(count))
    case .spooled(let input): return FileHead.bytes(of: input.file, count, at: FilePath(name))
    case .unpacked(let unpacked, _):
      return FileHead.bytes(of: unpacked.file, count, at: FilePath(name))
    case .file(let path, _): return FileHead.bytes(of: path, count)
    }
  }
}
