import Files
import SystemPackage

/// A reader of small files as a whole.
package enum DocumentFile {
  /// The number of bytes requested in one read.
  private static let step = 1 << 16

  /// Reads the bytes of a file, at most `limit` of them.
  ///
  /// - Parameter waits: whether to wait for the writer of a named pipe; if not, a pipe without a
  ///   writer is read as empty.
  package static func read(
    _ path: String, limit: Int, waits: Bool = true
  ) throws(PipelineError) -> [UInt8] {
    let place = DocumentPlace(file: path)
    do {
      let file = try FileDescriptor.open(
        FilePath(path), .readOnly, options: waits ? [.closeOnExec] : [.closeOnExec, .nonBlocking])
      return try file.closeAfter {
        var bytes: [UInt8] = []
        while true {
          let start = bytes.count
          let room = min(limit + 1 - start, Self.step)
          guard room > 0 else {
            throw place.fault("the file is larger than \(limit) bytes; no pipeline file is.")
          }
          bytes.append(contentsOf: repeatElement(0, count: room))
          let read = try unsafe bytes.withUnsafeMutableBytes {
            try unsafe file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
          }
          bytes.removeLast(room - read)
          if let refusal = refusal(ofArchive: bytes, path) {
            throw place.fault(refusal)
          }
          if read == 0 { return bytes }
        }
      }
    } catch let error as PipelineError {
      throw error
    } catch {
      throw failure(error as? Errno, at: place)
    }
  }

  /// Returns why a file with these first bytes is no pipeline, if it is an archive or another
  /// database.
  private static func refusal(ofArchive bytes: [UInt8], _ path: String) -> String? {
    let signature = FileSignature(bytes.prefix(FileSignature.byteCount))
    guard signature == .pmtiles || signature == .sqlite else { return nil }
    let isPMTiles = signature == .pmtiles
    let needed = "where a pipeline or text file is needed."
    guard isPMTiles || path.lowercased().hasSuffix(".mbtiles") else {
      return "this is a SQLite database, \(needed)"
    }
    return
      "this is \(isPMTiles ? "a PMTiles" : "an MBTiles") archive, \(needed) 'quadrille inspect "
      + "\(path)' describes it, 'quadrille preview \(path)' shows it."
  }

  /// Reads the bytes of a file that is at most as large as the system says when it is opened; a link
  /// stands for its target.
  ///
  /// - Parameter limit: the maximum size in bytes.
  /// - Throws: ``PipelineError`` that names the file and, for one that cannot be opened, the
  ///   system's reason.
  package static func bytes(of path: String, limit: Int) throws(PipelineError) -> [UInt8] {
    // Opening a file that does not exist gives the system's own reason.
    let size = FileStatus(FilePath(path))?.size ?? 1
    return try read(path, limit: min(size, limit))
  }

  /// Returns the error for a failed system call on a file that is read.
  static func failure(_ error: Errno?, at place: DocumentPlace) -> PipelineError {
    switch error {
    case .noSuchFileOrDirectory?:
      PipelineError(.missingInput, "no such file. Check the path.", at: place)
    case .permissionDenied?, .notPermitted?:
      PipelineError(.permission, "the file may not be read. Check its permissions.", at: place)
    case .isDirectory?:
      PipelineError(.missingInput, "this is a folder, not a file.", at: place)
    default:
      PipelineError(
        .inputOutput, "reading the file failed.", at: place, cause: error.map { "\($0)" })
    }
  }
}
