import ArchiveDeltas
import Definition
package import MBTiles

/// The names of delta files beside an archive.
package enum DeltaName {
  /// Returns the name of the delta between two states beside an archive:
  /// `NAME.1a2b3c4d-5e6f7a8b.delta`.
  package static func file(
    besideArchive archive: String, from start: ArchiveState, to end: ArchiveState
  ) -> String {
    "\(OutputDefinition.stem(of: archive)).\(start.short)-\(end.short)\(DeltaFormat.suffix)"
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
      parts.count == 2
      && parts.allSatisfy { part in
        part.count == 8 && part.utf8.allSatisfy { Array("0123456789abcdef".utf8).contains($0) }
      }
    return areStates ? whole[..<dot] : nil
  }
}
