import Expressions
package import Features
import Files
package import Ingest
import Platform
package import Runs
package import SystemPackage
package import Tiling

/// One way to read records: a format and the version of its reader.
///
/// A conforming type holds the options of one source, decoded. The types that there are stand in
/// ``SourceRegistry/types``; nothing else knows them by name.
package protocol FeatureSource: Sendable {
  /// The format's name in files, as `csv`.
  static var type: String { get }

  /// The version of this reader, as the 1 of `csv.1`.
  static var version: Int { get }

  /// The keys beside those that all sources of records have.
  static var keys: [KeySpecification] { get }

  /// Whether `data:` may be an object within the pipeline file.
  static var takesInlineData: Bool { get }

  /// Whether a file may be of this format, told by its first bytes; `false` is certain.
  static func sniff(_ head: UnsafeRawBufferPointer) -> Bool

  /// Takes the options from a node that passed ``KeyCheck``.
  init(_ keyed: KeyedNode) throws(PipelineError)

  /// Opens a file and gives its records as a stream.
  ///
  /// Records that the request's box or filters exclude may be delivered all the same.
  ///
  /// - Throws: ``SourceError`` where the file cannot be read, or does not have what the options name.
  func reader(of input: SourceInput, _ request: ReadRequest) throws(SourceError)
    -> any FeatureReader

  /// What `check` may look for in the bytes of a file beside its records.
  var examination: ExaminationSubject.Format { get }
}

extension FeatureSource {
  package static var takesInlineData: Bool { false }

  package var examination: ExaminationSubject.Format { .other }
}

/// What is asked of a reader.
package struct ReadRequest {
  /// The properties that somebody will read; `nil` for all.
  package var wanted: [String]?

  /// The properties that `select:` names, which all must exist; `nil` for all.
  package var selected: [String]?

  /// Properties that filters read, kept if they exist although they are not selected.
  package var tested: [String] = []

  /// Only records that touch this box are of interest.
  package var bounds: GeoBounds?

  /// Only records that pass all of these are of interest.
  package var conditions: [WhereClause] = []

  /// Whether records that are not delivered are to be counted, as read and filtered.
  package var countsFiltered = false

  /// Whether records without an id are to be called as queries call them, by all their properties.
  package var identifies = false

  package init() {}

  /// The same for all properties, and those that a format has only where it is asked for them.
  package var ofAllProperties: ReadRequest {
    var all = self
    all.tested += (wanted ?? []) + (selected ?? [])
    (all.wanted, all.selected) = (nil, nil)
    return all
  }

  /// Whether a property is one of those that are asked for.
  ///
  /// - Parameter hasSchema: whether the format knows its columns, and so what `select:` leaves out.
  package func keeps(_ name: String, hasSchema: Bool) -> Bool {
    guard wanted?.contains(name) ?? true else { return false }
    return !hasSchema || selected?.contains(name) ?? true || tested.contains(name)
  }
}

/// The data of a source where it can be read: a local file, or bytes of the pipeline file.
package enum SourceInput {
  /// - Parameter name: what messages call the file; differs from its path where it was fetched.
  case file(FilePath, name: String)
  case bytes([UInt8], name: String)

  /// What messages call the data.
  var name: String {
    switch self {
    case .file(_, let name), .bytes(_, let name): name
    }
  }

  /// The data as one stream.
  package func stream() throws(SourceError) -> ByteSource {
    switch self {
    case .file(let path, let name): try ByteSource(path: path, name: name)
    case .bytes(let bytes, let name): ByteSource(bytes: bytes, name: name)
    }
  }

  /// Whether the data is a regular file, or in memory; a pipe gives its bytes once.
  package var canBeReadAgain: Bool {
    guard case .file(let path, _) = self else { return true }
    guard path != "-" else { return false }
    return FileStatus(path)?.kind == .file
  }

  /// The first bytes of the data, at most `count`; empty for what is no regular file.
  package func head(_ count: Int = 4096) -> [UInt8] {
    switch self {
    case .bytes(let bytes, _): return Array(bytes.prefix(count))
    case .file(let path, _):
      guard canBeReadAgain,
        let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec)
      else { return [] }
      defer { try? file.close() }
      guard (try? file.stat().type) == .regular else { return [] }
      var bytes = [UInt8](repeating: 0, count: count)
      let read = (try? bytes.withUnsafeMutableBytes { try file.read(into: $0) }) ?? 0
      return Array(bytes.prefix(read))
    }
  }
}
