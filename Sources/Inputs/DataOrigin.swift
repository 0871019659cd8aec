package import Fetching
package import Files
package import Ingest
package import SystemPackage

/// Where the data of a source comes from in one run.
///
/// The questions here are what readers, digests and caches ask about it. A new way to get bytes is one
/// more type that answers them, and a line in ``InputResolver``. Steps that concern one kind of data ask
/// for its type, too: the listing of a tileset's tiles, and what is fetched, packed or converted.
package protocol DataOrigin: Sendable {
  /// The name of the data in messages.
  var name: String { get }

  /// The files that determine the data, and what else has a digest.
  var files: [InputFile] { get }

  /// The parts of the key under which records read from the data are cached; `nil` for data whose
  /// records are not cached.
  var digestParts: [DigestPart]? { get }

  /// The size of the data as it is stored, in bytes; `nil` if it is not known.
  var storedBytes: Int? { get }

  /// The number of bytes that readers will count; `nil` if it is not known before they end.
  var readBytes: Int? { get }

  /// Whether the data can be read a second time; a pipe delivers its bytes once.
  var canBeReadAgain: Bool { get }

  /// The files that were fetched, in the order of the requests.
  var fetched: [FetchedFile] { get }

  /// The only file on this machine that stores the data, packed or not; `nil` where there is none,
  /// or where there are several.
  var storedFile: FilePath? { get }

  /// The files that are held open for the run; others are opened by their path.
  var held: [HeldFile] { get }

  /// Returns the only file on this machine that holds the data as readers take it; `nil` where
  /// there is none, or where there are several.
  ///
  /// - Throws: the errors of unpacking it.
  func path() throws -> FilePath?

  /// Returns the data as readers take it.
  ///
  /// - Throws: ``SourceError``, and the errors of unpacking or converting it.
  func content() throws -> DataContent
}

extension DataOrigin {
  package var readBytes: Int? { storedBytes }
  package var canBeReadAgain: Bool { true }
  package var fetched: [FetchedFile] { [] }
  package var storedFile: FilePath? { nil }
  package var held: [HeldFile] { [] }
  package func path() throws -> FilePath? { storedFile }
}

/// The data of a source as readers take it.
package enum DataContent {
  case whole(SourceInput)

  /// Several files, one after the other; each record names its file.
  case files([Part])

  /// The responses of a service, whose pages follow each other; what the responses to several
  /// requests have is read once.
  case answers([Answer])

  /// A response, or a page of one.
  package struct Answer {
    package let input: SourceInput

    /// Whether it continues the one before.
    package let isPage: Bool

    /// The number of records that match the request; `nil` unless the service gave it before the
    /// answer.
    package let matched: Int?
  }

  /// One of several files.
  package struct Part {
    /// The name in messages: `parts/a.csv` or `parts.zip/a.csv`.
    package let name: String

    /// Opens the file; a packed one is unpacked.
    package let open: () throws -> SourceInput
  }

  /// Returns the first input.
  package func first() throws -> SourceInput? {
    switch self {
    case .whole(let input): input
    case .files(let parts): try parts.first?.open()
    case .answers(let inputs): inputs.first?.input
    }
  }
}

/// A part of a key that names records by the data they were read from.
package enum DigestPart: Hashable, Sendable {
  case text(String)

  /// The digest of a file.
  case file(String)
}
