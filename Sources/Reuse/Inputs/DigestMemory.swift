import Columns

/// Digests of files with the status of each when it was hashed, kept from run to run.
///
/// A digest is valid for a file only while the system reports the same status, and only if the file
/// had been left alone for longer than a step of the file system's clock before it was hashed: a
/// write within that step could have left the times as they were.
package struct DigestMemory: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var status: InputStatus

    /// The moment at which the status was read, before the file's first byte: nanoseconds since
    /// 1970.
    package var moment: Int64

    /// The digest, 64 lower-case hexadecimal digits.
    package var sha256: String

    package init(status: InputStatus, moment: Int64, sha256: String) {
      self.status = status
      self.moment = moment
      self.sha256 = sha256
    }
  }

  /// The entries by names that the owner chooses, without NUL.
  package private(set) var entries: [String: Entry] = [:]

  package init() {}

  /// Returns the entry of a file that is certainly unchanged; `nil` otherwise.
  ///
  /// - Parameter step: see ``InputStatus/isFresh(at:step:)``.
  package func entry(of name: String, now status: InputStatus, step: Int64? = nil) -> Entry? {
    guard let entry = entries[name], entry.status == status,
      !status.isFresh(at: entry.moment, step: step)
    else { return nil }
    return entry
  }

  package mutating func remember(_ entry: Entry, as name: String) {
    entries[name] = entry
  }

  // MARK: As an artifact

  /// Reads the entries that the cache holds under a key; empty where it holds none.
  package init(_ key: ArtifactKey, in cache: ArtifactCache) {
    let stored = cache.value(key) { reader throws(ArtifactDamage) in
      try DigestMemory(&reader)
    }
    self = stored ?? DigestMemory()
  }

  /// Writes the entries under a key, unless they are stored already.
  package func store(_ key: ArtifactKey, in cache: ArtifactCache) {
    guard self != DigestMemory(key, in: cache) else { return }
    let sorted = entries.sorted { $0.key < $1.key }
    var writer = ArtifactWriter()
    writer.append(sorted.map(\.key).joined(separator: "\0"))
    writer.append(sorted.map(\.value.sha256).joined(separator: "\0"))
    writer.append(Column(sorted.flatMap { _, entry in entry.status.numbers + [entry.moment] }))
    cache.store(key, writer)
  }

  private init(_ reader: inout ArtifactReader) throws(ArtifactDamage) {
    let names = Self.parts(try reader.text())
    let digests = Self.parts(try reader.text())
    let numbers = try reader.column(of: Int64.self)
    let width = InputStatus.numberCount + 1
    guard names.count == digests.count, numbers.count == width * names.count else {
      throw ArtifactDamage("\(names.count) files have \(digests.count) digests")
    }
    for (index, name) in names.enumerated() {
      let values = Array(numbers[(width * index)..<(width * index + width)])
      guard let status = InputStatus(numbers: values.dropLast()) else { continue }
      entries[name] = Entry(
        status: status, moment: values[width - 1], sha256: digests[index])
    }
  }

  private static func parts(_ text: String) -> [String] {
    text.isEmpty
      ? [] : text.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
  }
}
