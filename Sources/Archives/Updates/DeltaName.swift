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
    let prefix = OutputDefinition.stem(of: archive) + "."
    guard name.hasPrefix(prefix), name.hasSuffix(DeltaFormat.suffix) else { return false }
    let parts = name.dropFirst(prefix.count).dropLast(DeltaFormat.suffix.count)
      .split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        part.count == 8 && part.utf8.allSatisfy { Array("0123456789abcdef".utf8).contains($0) }
      }
  }
}
