import CFiles
import Platform
package import SystemPackage

/// A range of bytes of one file that is copied into another without passing through this process,
/// where the system can do that.
package enum FileRange {
  /// The bytes that are read at once where the system does not copy by itself.
  private static let portion = 1 << 20

  /// Asks the system to begin writing bytes to the medium, if it has such a call.
  package static func beginWriting(_ file: FileDescriptor, at place: Int64, count: Int) {
    cfiles_begin_writing(file.rawValue, off_t(place), off_t(count))
  }

  /// Copies bytes from one place to another, which may lie beyond the end of its file.
  ///
  /// - Throws: the system's error; `ioError` where the source ends before.
  package static func copy(
    from source: FileDescriptor, at start: Int64, to target: FileDescriptor, at place: Int64,
    count: Int
  ) throws(Errno) {
    var done = 0
    while done < count {
      let copied = cfiles_copy_range(
        source.rawValue, off_t(start) + off_t(done), target.rawValue, off_t(place) + off_t(done),
        count - done)
      if copied > 0 {
        done += copied
      } else if copied == 0 {
        throw .ioError
      } else if errno != EINTR {
        // Some file systems lack the call; an error of the medium recurs in the reads below.
        break
      }
    }
    guard done < count else { return }
    try Errno.thrown {
      try withUnsafeTemporaryAllocation(byteCount: min(portion, count - done), alignment: 4096) {
        buffer in
        while done < count {
          let part = UnsafeMutableRawBufferPointer(
            rebasing: buffer[..<min(buffer.count, count - done)])
          let read = try source.read(fromAbsoluteOffset: start + Int64(done), into: part)
          guard read > 0 else { throw Errno.ioError }
          try target.writeAll(
            toAbsoluteOffset: place + Int64(done), UnsafeRawBufferPointer(rebasing: part[..<read]))
          done += read
        }
      }
    }
  }
}
