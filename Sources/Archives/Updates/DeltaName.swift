import ArchiveDeltas
import Definition
package import MBTiles

/// The names of the files beside an archive that its list of updates names.
package enum DeltaName {
  /// Returns the name of the delta between two states beside an archive:
  /// `NAME.1a2b3c4d-5e6f7a8b.delta`.
  package static func file(
    besideArchive archive: String, from start: ArchiveState, to end: ArchiveState
  ) -> String {
    "\(OutputDefinition.stem(of: archive)).\(start.short)-\(end.short)\(DeltaFormat.suffix)"
  }

  /// Returns the second name of an archive, by its content: `NAME.1a2b3c4d5e6f7a8b.mbtiles`, with the
  /// first digits of the SHA-256 of the file. A publication changes what is at the first one.
  package static func download(ofArchive archive: String, sha256: String) -> String {
    let stem = OutputDefinition.stem(of: archive)
    return "\(stem).\(sha256.prefix(downloadDigits))\(archive.dropFirst(stem.count))"
  }

  private static let downloadDigits = 16

  /// Whether a file name could be the second name of some version of an archive.
  ///
  /// - Parameter archive: the archive's file name.
  package static func isDownload(_ name: String, of archive: String) -> Bool {
    let stem = OutputDefinition.stem(of: archive)
    return isDownload(name) && name.hasPrefix(stem + ".")
      && name.count == archive.count + downloadDigits + 1
      && name.hasSuffix(String(archive.dropFirst(stem.count)))
  }

  /// Whether a file name could be the second name of any archive.
  package static func isDownload(_ name: String) -> Bool {
    let stem = OutputDefinition.stem(of: name)
    let digits = stem.suffix(downloadDigits)
    return stem.count < name.count && digits.count == downloadDigits
      && stem.dropLast(downloadDigits).last == "." && areDigits(digits)
  }

  /// Whether a file name could belong to a delta of an archive.
  ///
  /// - Parameter archive: the archive's file name.
  package static func isDelta(_ name: String, of archive: String) -> Bool {
    stem(of: name).map { $0 == OutputDefinition.stem(of: archive) } ?? false
  }

  /// Whether a file name could belong to a delta of any archive.
  package static func isDelta(_ name: String) -> Bool { stem(of: name) != nil }

  /// Returns the name of a delta up to its states; `nil` if it is that of no delta.
  private static func stem(of name: String) -> Substring? {
    guard name.hasSuffix(DeltaFormat.suffix) else { return nil }
    let whole = name.dropLast(DeltaFormat.suffix.count)
    guard let dot = whole.lastIndex(of: ".") else { return nil }
    let parts = whole[whole.index(after: dot)...]
      .split(separator: "-", omittingEmptySubsequences: false)
    let areStates =
      parts.count == 2 && parts.allSatisfy { $0.count == 8 && areDigits($0) }
    return areStates ? whole[..<dot] : nil
  }

  private static func areDigits(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { Array("0123456789abcdef".utf8).contains($0) }
  }
}
