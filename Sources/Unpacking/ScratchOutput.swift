import CDeflate
import Features
import Files
import SystemPackage

/// The file that receives unpacked bytes, within limits, with a checksum of the bytes received.
final class ScratchOutput {
  /// Size of the buffer in bytes.
  private static let roomBytes = 1 << 20

  private let file: FileDescriptor
  private let folder: FilePath
  private let packedBytes: Int
  private let limits: UnpackLimits
  private let checkpoint: () throws -> Void
  private let buffer: UnsafeMutableRawBufferPointer
  private var filled = 0
  private var freeBytes = 0

  /// The number of bytes received.
  private(set) var count = 0

  /// The CRC-32 (IEEE) of the bytes since ``beginMember()``, up to the last full buffer.
  private var checksum: UInt32 = 0
  private var summed = 0
  private var hasChecksum = false
  private var begin = 0

  /// An error that ``checkpoint`` threw.
  private(set) var interruption: (any Error)?

  /// - Parameters:
  ///   - packedBytes: the size of the packed bytes, for the limit on the ratio.
  ///   - checkpoint: called for every mebibyte; an error that it throws ends the work.
  init(
    _ file: FileDescriptor, in folder: FilePath, packedBytes: Int, limits: UnpackLimits,
    checkpoint: @escaping () throws -> Void
  ) {
    self.file = file
    self.folder = folder
    self.packedBytes = packedBytes
    self.limits = limits
    self.checkpoint = checkpoint
    buffer = .allocate(byteCount: Self.roomBytes, alignment: 64)
  }

  deinit { buffer.deallocate() }

  /// The free part of the buffer; never empty.
  var room: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
  }

  /// Adds the first bytes of ``room``, which were written.
  func add(_ bytes: Int) throws(UnpackFault) {
    filled += bytes
    count += bytes
    if filled == buffer.count { try flush() }
  }

  /// Begins the checksum and count of a member.
  func beginMember() {
    sumUp()
    hasChecksum = true
    checksum = 0
    begin = count
  }

  /// Returns the CRC-32 and the number of bytes since ``beginMember()``.
  func endMember() -> (checksum: UInt32, bytes: Int) {
    sumUp()
    hasChecksum = false
    return (checksum, count - begin)
  }

  private func sumUp() {
    if hasChecksum, filled > summed {
      checksum = libdeflate_crc32(
        checksum, buffer.baseAddress.map { $0 + summed }, filled - summed)
    }
    summed = filled
  }

  /// Refuses more bytes than the limits allow.
  ///
  /// - Parameter bytes: the number of bytes that were unpacked, or will be.
  func require(_ bytes: Int) throws(UnpackFault) {
    guard bytes <= limits.bytes else {
      throw UnpackFault(
        "unpacks to more than \(limits.bytes) bytes, the limit; unpack it by hand, in parts")
    }
    guard bytes <= limits.unrated || bytes / limits.ratio <= packedBytes else {
      throw UnpackFault(
        "unpacks to more than \(limits.ratio) times its size, as files do that are made to fill disks "
          + "(zip bombs); if it is sound, unpack it by hand")
    }
  }

  /// Refuses bytes for which there is no room on the disk.
  func requireSpace(for bytes: Int) throws(UnpackFault) {
    guard let free = FreeSpace(folder)?.bytes else { return }
    guard free - limits.reserve >= bytes else { throw noSpace }
    freeBytes = free - limits.reserve
  }

  private var noSpace: UnpackFault {
    UnpackFault(
      "does not fit into \(folder) when it is unpacked; free some space there or choose another "
        + "folder with --tmpdir", .io)
  }

  /// Writes the buffer's content to the file.
  func flush() throws(UnpackFault) {
    sumUp()
    do {
      try checkpoint()
    } catch {
      interruption = error
      throw UnpackFault("was not unpacked to its end", .io)
    }
    try require(count)
    if freeBytes < filled { try requireSpace(for: filled) }
    freeBytes -= filled
    do {
      try file.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
    } catch Errno.noSpace, Errno.diskQuotaExceeded {
      throw noSpace
    } catch {
      throw UnpackFault(
        "cannot be unpacked into \(folder): \(error); choose another folder with --tmpdir", .io)
    }
    filled = 0
    summed = 0
  }
}
