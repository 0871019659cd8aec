import Files
import Foundation

/// The record of every remote file of a build: `NAME.lock.json`, to be kept with the pipeline.
///
/// A build with `--locked` refuses any other content, and does not use the network for what the
/// cache has.
package struct LockFile: Hashable, Sendable {
  /// A remote file.
  package struct File: Hashable, Sendable, Codable {
    /// The address without secrets.
    package var uri: String
    package var etag: String?
    package var lastModified: String?

    /// The digest of the content, 64 hexadecimal digits.
    package var sha256: String

    package var bytes: Int64

    /// The number of files of the answer that it begins, if there are several.
    package var pages: Int64?

    /// The number of records read from it, if it was read.
    package var rows: Int64?

    package init(_ file: FetchedFile, rows: Int64? = nil) {
      uri = file.uri
      etag = file.etag
      lastModified = file.lastModified
      sha256 = file.sha256
      bytes = file.bytes
      self.rows = rows
    }
  }

  /// The files sorted by address, then digest, each pair once.
  package let files: [File]

  /// Creates the lock of the files used by a build.
  package init(_ files: some Sequence<File>) {
    var kept: [File] = []
    for file in files.sorted(by: { ($0.uri, $0.sha256) < ($1.uri, $1.sha256) }) {
      let isRepeat = kept.last.map { $0.uri == file.uri && $0.sha256 == file.sha256 } ?? false
      if !isRepeat { kept.append(file) }
    }
    self.files = kept
  }

  /// Returns the digests that a file may have; empty if it is not in the lock. Addresses that
  /// differ only in redacted parts share theirs.
  package func digests(of uri: String) -> Set<String> {
    Set(files.lazy.filter { $0.uri == uri }.map(\.sha256))
  }

  /// Throws for an answer with another number of pages than the lock says.
  package func requirePages(of file: FetchedFile, _ count: Int) throws(FetchError) {
    let known = files.first { $0.uri == file.uri && $0.sha256 == file.sha256 }?.pages ?? 1
    guard known != count else { return }
    throw FetchError(
      .changed, uri: file.uri,
      "the answer has \(count) page\(count == 1 ? "" : "s"), and the lock file says \(known). Build "
        + "without '--locked' to accept it.")
  }

  /// Throws for files that differ from the lock: other content, or a file that is not in it.
  ///
  /// - Throws: ``FetchError/Code/changed``, naming the first address that differs.
  package func require(_ built: LockFile) throws(FetchError) {
    for file in built.files {
      let allowed = digests(of: file.uri)
      guard !allowed.isEmpty else {
        throw FetchError(
          .changed, uri: file.uri,
          "the lock file does not have this. Build without '--locked' to add it.")
      }
      guard allowed.contains(file.sha256) else {
        throw FetchError(
          .changed, uri: file.uri,
          "the content has the SHA-256 \(file.sha256), and the lock file says "
            + "\(allowed.sorted().joined(separator: " or ")). Build without '--locked' to accept it."
        )
      }
    }
  }

  /// The text of the file: deterministic for the same content.
  package var json: String {
    let texts = files.map { file in
      "    "
        + JSONText.object(
          [
            ("uri", .string(file.uri)), ("etag", .string(file.etag)),
            ("lastModified", .string(file.lastModified)), ("sha256", .string(file.sha256)),
            ("bytes", .integer(file.bytes)), ("rows", .integer(file.rows)),
            ("pages", .integer(file.pages)),
          ], indent: "    ")
    }
    let list = texts.isEmpty ? "[]" : "[\n" + texts.joined(separator: ",\n") + "\n  ]"
    return "{\n  \"version\": 1,\n  \"files\": \(list)\n}\n"
  }

  /// Parses the text of a lock file.
  ///
  /// - Parameter path: the path named in the error.
  /// - Throws: ``FetchError/Code/badLockFile``.
  package init(json: [UInt8], path: String) throws(FetchError) {
    /// The document as it is stored.
    struct Document: Decodable {
      let version: Int
      let files: [File]
    }
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(json)),
      document.version == 1,
      document.files.allSatisfy({ Hexadecimal.isDigest($0.sha256) && $0.bytes >= 0 })
    else {
      throw FetchError(
        .badLockFile, uri: path,
        "this is not a lock file of this version. Build without '--locked' to rewrite it.")
    }
    self.init(document.files)
  }
}
