import Files
import Platform
package import SystemPackage

/// A store of the bytes of the distinct images of an archive under construction, readable at any
/// time.
///
/// The hashes of an archive cover every tile in order, including repeats, so an image is needed
/// again long after it was stored. Three million tiles would be a gigabyte of memory: the bytes go
/// to an unlinked file that is mapped, and the system evicts and reloads its pages as needed. Bytes
/// are written with `pwrite` and not through the mapping, so that a full disk is an error and not a
/// signal.
///
/// One thread stores; any thread may read what ``flush()`` has written.
package final class ImageStore {
  /// The bytes of one mapping, and the maximum of an image.
  private let chunkSize: Int

  private let path: FilePath
  private let file: FileDescriptor
  private var chunks: [UnsafeMutableRawPointer] = []
  private let tail: UnsafeMutableRawBufferPointer

  /// The bytes used in the last chunk, including those of the tail.
  private var used: Int
  private var tailCount = 0

  /// Creates the file and unlinks it at once: it disappears with the process, however that ends.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which must not exist.
  ///   - chunkSize: Bytes of one mapping, a multiple of the page size.
  ///   - tailCapacity: Bytes that are buffered for one `pwrite`.
  package init(path: FilePath, chunkSize: Int = 64 << 20, tailCapacity: Int = 1 << 20)
    throws(ArchiveError)
  {
    self.path = path
    self.chunkSize = chunkSize
    used = chunkSize
    // Where the system did not unlink it, it outlived its process.
    StaleFiles.remove(like: path)
    do {
      file = try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerRead, .ownerWrite])
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "create", path: path)
    }
    unlink(path.string)
    tail = .allocate(byteCount: tailCapacity, alignment: 16)
  }

  deinit {
    for chunk in chunks { munmap(chunk, chunkSize) }
    tail.deallocate()
    try? file.close()
  }

  /// Stores an image and returns where its bytes will be readable after the next ``flush()``.
  ///
  /// - Complexity: O(`bytes.count`).
  package func store(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) -> UnsafeRawBufferPointer
  {
    guard bytes.count <= chunkSize else {
      throw ArchiveError(.value(.largeImage(bytes: bytes.count, limit: chunkSize)))
    }
    if used + bytes.count > chunkSize { try addChunk() }
    if tailCount + bytes.count > tail.count { try flush() }
    let chunk = chunks[chunks.count - 1]
    let place = UnsafeRawBufferPointer(start: chunk + used, count: bytes.count)
    if bytes.count > tail.count {
      try write(bytes, at: used)
    } else if let source = bytes.baseAddress {
      UnsafeMutableRawBufferPointer(rebasing: tail[tailCount...])
        .copyMemory(from: UnsafeRawBufferPointer(start: source, count: bytes.count))
      tailCount += bytes.count
    }
    used += bytes.count
    return place
  }

  /// Makes all stored bytes readable at their addresses.
  package func flush() throws(ArchiveError) {
    guard tailCount > 0 else { return }
    try write(UnsafeRawBufferPointer(rebasing: tail[..<tailCount]), at: used - tailCount)
    tailCount = 0
  }

  /// Returns the bytes at a place, even before they are flushed; valid until the next store.
  package func bytes(at place: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard tailCount > 0, let chunk = chunks.last, let address = place.baseAddress else {
      return place
    }
    let offset = address - UnsafeRawPointer(chunk) - (used - tailCount)
    guard offset >= 0, offset + place.count <= tailCount else { return place }
    return UnsafeRawBufferPointer(rebasing: tail[offset..<(offset + place.count)])
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(ArchiveError) {
    let start = Int64((chunks.count - 1) * chunkSize + offset)
    do {
      _ = try file.writeAll(toAbsoluteOffset: start, bytes)
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "write", path: path)
    }
  }

  /// Maps the next chunk of the file and releases the pages of an older one.
  private func addChunk() throws(ArchiveError) {
    try flush()
    let start = chunks.count * chunkSize
    guard ftruncate(file.rawValue, off_t(start + chunkSize)) == 0 else {
      throw ArchiveError(Errno(rawValue: errno), doing: "extend", path: path)
    }
    let address = mmap(nil, chunkSize, PROT_READ, MAP_SHARED, file.rawValue, off_t(start))
    guard let address, address != MAP_FAILED else {
      throw ArchiveError(Errno(rawValue: errno), doing: "map", path: path)
    }
    if chunks.count >= 2 { madvise(chunks[chunks.count - 2], chunkSize, MADV_DONTNEED) }
    chunks.append(address)
    used = 0
  }
}
