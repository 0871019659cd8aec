import Files
import MBTiles
import Platform
package import Runs
package import SystemPackage

/// A writer of one part: under a temporary name, verified, synced and renamed into place.
final class PartWriter {
  private let path: FilePath
  private let temporary: FilePath

  /// The path of a file to make on the way, which is removed with the writer.
  let scratch: FilePath
  private var file: FileDescriptor?
  private var checksum = ImageChecksum()
  private var buffer: [UInt8] = []
  private var isCommitted = false

  /// - Throws: `Errno` where the file cannot be created.
  init(_ path: FilePath, plan: [UInt8], shard: Int) throws {
    self.path = path
    // Several processes, also of several machines, may paint one shard at the same time.
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    temporary = DurableFile.temporary(for: path, mark: "-\(mark)")
    scratch = temporary.removingLastComponent().appending(
      "\(temporary.lastComponent?.string ?? "").scratch")
    file = try FileDescriptor.open(
      temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: DurableFile.publicPermissions)
    try PartFormat.header(plan: plan, shard: shard).withUnsafeBytes(write)
  }

  /// Returns the error of a run that cannot write a part.
  static func failure(_ error: any Error, _ path: FilePath) -> PipelineError {
    var failure = PipelineError(wrapping: error)
    guard let error = error as? Errno else { return failure }
    failure.place = DocumentPlace(file: path.string)
    failure.message =
      error == .noSpace
      ? "the part cannot be written: the disk is full. Free some space, then run it again."
      : "the part cannot be written. Check the folder, the disk and the permissions."
    return failure
  }

  deinit {
    try? file?.close()
    if !isCommitted { unlink(temporary.string) }
    unlink(scratch.string)
  }

  /// Appends a record.
  ///
  /// - Parameter file: a file whose bytes follow the content.
  func append(
    _ kind: PartFormat.Kind, archive: Int, _ content: PartBytes, file: MappedFile? = nil
  ) throws {
    var head = PartBytes()
    head.append(kind.rawValue)
    head.append(UInt64(archive))
    head.append(UInt64(content.bytes.count + (file?.bytes.count ?? 0)))
    do {
      try head.bytes.withUnsafeBytes(write)
      try content.bytes.withUnsafeBytes(write)
      if let file { try write(file.bytes) }
    } catch {
      // Told here: a stage does not know which file it is.
      throw Self.failure(error, path)
    }
  }

  /// Ends the part, verifies it and gives it its name.
  ///
  /// - Throws: `Errno`, and ``PipelineError`` where the file does not hold what was written.
  func commit(_ cancellation: Cancellation) throws {
    try append(.end, archive: 0, PartBytes())
    try flush()
    let checksum = checksum.value
    _ = try withUnsafeBytes(of: checksum.littleEndian) { try file?.writeAll($0) }
    try file?.close()
    file = nil
    try DurableFile.synchronize(temporary)
    guard try isComplete(checksum, cancellation) else {
      throw PipelineError(
        .inputOutput, "this part is not what was written. Check the disk that it is on.",
        at: DocumentPlace(file: path.string))
    }
    try DurableFile.rename(temporary, to: path)
    isCommitted = true
    try DurableFile.synchronizeFolder(of: path)
  }

  /// Whether the file, read again, has a checksum and its content has that checksum.
  private func isComplete(_ checksum: UInt64, _ cancellation: Cancellation) throws -> Bool {
    do {
      return try PartFile(temporary, cancellation).checksum == checksum
    } catch is PartDamage {
      return false
    }
  }

  /// The number of bytes above which a piece is not copied to be written with others.
  private static let largePiece = 1 << 18

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard bytes.count > Self.largePiece else {
      buffer.append(contentsOf: bytes)
      if buffer.count > Self.largePiece { try flush() }
      return
    }
    try flush()
    checksum.add(bytes)
    try file?.writeAll(bytes)
  }

  private func flush() throws {
    try buffer.withUnsafeBytes { bytes in
      checksum.add(bytes)
      _ = try file?.writeAll(bytes)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// A part that is complete: mapped, and with the checksum at its end.
package final class PartFile: Sendable {
  let path: FilePath
  private let file: MappedFile

  /// The checksum at its end.
  let checksum: UInt64

  /// Maps a part and verifies all of it.
  ///
  /// - Throws: `Errno` where it cannot be read, ``PartDamage`` where it is not a complete part, and
  ///   what `cancellation` throws.
  /// - Complexity: O(bytes), at some 8 GB/s.
  package init(_ path: FilePath, _ cancellation: Cancellation) throws {
    self.path = path
    let file = try MappedFile(path)
    let bytes = file.bytes
    let end = bytes.count - PartFormat.checksumSize
    guard end >= PartFormat.headerSize, bytes.starts(with: PartFormat.magic) else {
      throw PartDamage()
    }
    var checksum = ImageChecksum()
    for start in stride(from: 0, to: end, by: 1 << 24) {
      try cancellation.check()
      checksum.add(UnsafeRawBufferPointer(rebasing: bytes[start..<min(end, start + 1 << 24)]))
    }
    self.checksum = UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self))
    guard self.checksum == checksum.value else { throw PartDamage() }
    self.file = file
  }

  /// The digest of the `plan.json` from which it was painted.
  var plan: [UInt8] { Array(file.bytes[8..<40]) }

  /// The number of its shard.
  var shard: UInt64 {
    UInt64(littleEndian: file.bytes.loadUnaligned(fromByteOffset: 40, as: UInt64.self))
  }

  /// A sequence of the records of a kind and an archive.
  package struct Records {
    fileprivate let file: MappedFile
    fileprivate var offset = PartFormat.headerSize
    let kind: PartFormat.Kind
    let archive: Int

    /// Returns the content of the next record; `nil` at the end. It stays valid as long as the part.
    package mutating func next() throws(PartDamage) -> PartCursor? {
      let end = file.bytes.count - PartFormat.checksumSize
      while true {
        var cursor = PartCursor(UnsafeRawBufferPointer(rebasing: file.bytes[offset..<end]))
        let found = try cursor.number()
        let archive = try cursor.number()
        let length = try cursor.count()
        offset += 24 + length
        if found == PartFormat.Kind.end.rawValue {
          guard offset == end else { throw PartDamage() }
          offset -= 24
          return nil
        }
        guard found == kind.rawValue, archive == UInt64(self.archive) else { continue }
        return PartCursor(try cursor.take(length))
      }
    }
  }

  package func records(_ kind: PartFormat.Kind, archive: Int) -> Records {
    Records(file: file, kind: kind, archive: archive)
  }
}
