import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes a small file so that the file is either the old or the new one, never half of it.
package enum ReportFile {
  /// The report beside an archive: `NAME.mbtiles` has `NAME.report.json`.
  package static func path(besideArchive archive: String) -> String {
    let suffix = OutputDefinition.suffix
    let stem = archive.hasSuffix(suffix) ? archive.dropLast(suffix.count) : archive[...]
    return stem + ".report.json"
  }

  /// Writes a text through a temporary file in the same folder, synced and renamed.
  ///
  /// - Throws: ``PipelineError`` with code `cannotCreate`, `inputOutput` or `permission`.
  package static func write(_ text: String, to path: String) throws(PipelineError) {
    try write(Array(text.utf8), to: path)
  }

  /// Writes bytes in the same way.
  package static func write(_ bytes: [UInt8], to path: String) throws(PipelineError) {
    let target = FilePath(path)
    let name = target.lastComponent?.string ?? "report"
    let temporary = target.removingLastComponent().appending(".\(name).tmp-\(getpid())")
    do {
      let file = try FileDescriptor.open(
        temporary, .writeOnly, options: [.create, .truncate],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      try file.closeAfter {
        try file.writeAll(bytes)
        if fsync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
      }
      if rename(temporary.string, path) != 0 { throw Errno(rawValue: errno) }
    } catch {
      unlink(temporary.string)
      throw failure(error as? Errno, path: path)
    }
  }

  private static func failure(_ error: Errno?, path: String) -> PipelineError {
    let code: PipelineError.Code =
      switch error {
      case .permissionDenied?, .notPermitted?, .readOnlyFileSystem?: .permission
      case .noSuchFileOrDirectory?, .notDirectory?, .isDirectory?: .cannotCreate
      default: .inputOutput
      }
    return PipelineError(
      code, "the file cannot be written. Check the folder and its permissions.",
      at: DocumentPlace(file: path), cause: error.map { "\($0)" })
  }
}
