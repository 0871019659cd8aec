import Platform
package import SystemPackage

/// The names in a folder, including hidden ones, without `.` and `..`.
package enum FolderListing {
  /// The reason why a folder is not listed.
  package enum Refusal: Error, Hashable, Sendable {
    case unreadable(Errno)
    /// Reading failed after some of the names.
    case brokenOff(Errno)
    case notUTF8
    case tooMany
  }

  /// Returns the names in no particular order; an empty list if the folder cannot be read.
  package static func names(in folder: FilePath) -> [String] {
    // The names read so far are listed.
    names(in: folder) { _ in }
  }

  /// Returns the names of a folder whose files are inputs, as ``names(in:)`` does; a
  /// ``MachineFault`` is noted.
  package static func inputNames(in folder: FilePath) -> [String] {
    names(in: folder) { MachineFault.note($0, at: folder) }
  }

  private static func names(in folder: FilePath, refused: (Errno) -> Void) -> [String] {
    var names: [String] = []
    do throws(Refusal) {
      try forEachName(in: folder) { name in names.append(String(decoding: name, as: UTF8.self)) }
    } catch {
      switch error {
      case .unreadable(let cause), .brokenOff(let cause): refused(cause)
      case .notUTF8, .tooMany: break
      }
    }
    return names
  }

  /// Returns the names in the order of their bytes.
  ///
  /// - Parameter limit: the maximum number of names.
  /// - Complexity: O(n log n).
  package static func sortedNames(
    in folder: FilePath, limit: Int
  ) throws(Refusal) -> [String] {
    var names: [String] = []
    try forEachName(in: folder) { (bytes) throws(Refusal) in
      guard let name = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
      guard names.count < limit else { throw .tooMany }
      names.append(name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func forEachName(
    in folder: FilePath, _ body: ([UInt8]) throws(Refusal) -> Void
  ) throws(Refusal) {
    guard let stream = opendir(folder.string) else { throw .unreadable(Errno(rawValue: errno)) }
    defer { closedir(stream) }
    let dot = UInt8(ascii: ".")
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name == [dot] || name == [dot, dot] { continue }
      try body(name)
    }
    guard errno == 0 else { throw .brokenOff(Errno(rawValue: errno)) }
  }
}
