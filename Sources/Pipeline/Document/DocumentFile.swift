import SystemPackage

/// Reads small files whole.
enum DocumentFile {
  /// The bytes of a file, at most `limit` of them.
  static func read(_ path: String, limit: Int) throws(PipelineError) -> [UInt8] {
    let place = DocumentPlace(file: path)
    do {
      let file = try FileDescriptor.open(FilePath(path), .readOnly)
      return try file.closeAfter {
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count <= limit {
          let read = try bytes.withUnsafeMutableBytes {
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
          }
          if read == 0 { break }
          count += read
        }
        guard count <= limit else {
          throw PipelineError(
            .definition, "the file is larger than \(limit) bytes; no pipeline file is.", at: place)
        }
        bytes.removeLast(bytes.count - count)
        return bytes
      }
    } catch let error as PipelineError {
      throw error
    } catch {
      throw failure(error as? Errno, at: place)
    }
  }

  /// The failure of a system call on a file that is read.
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
