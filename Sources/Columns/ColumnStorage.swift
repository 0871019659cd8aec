import Platform

/// The bytes of a column: a block of memory, or a scratch file that is mapped.
@usableFromInline
package final class ColumnStorage: @unchecked Sendable {
  // Sendable: its constants never change, and a column writes to its bytes only while no other
  // column refers to it.

  /// The first byte; for an empty storage, an address at which nothing is read or written.
  @usableFromInline let address: UnsafeMutableRawPointer

  /// The number of bytes for which there is room.
  @usableFromInline let byteCount: Int

  /// Whether the bytes lie in a file.
  @usableFromInline let isMapped: Bool

  @usableFromInline let scratch: Scratch?

  /// Whether another storage has taken over the bytes.
  private var isMoved = false

  /// Creates a storage of at least a byte, whose bytes are undefined.
  @usableFromInline
  convenience init(byteCount: Int, in scratch: Scratch?) {
    if let scratch, let address = scratch.map(byteCount: byteCount) {
      self.init(address, byteCount, isMapped: true, in: scratch)
    } else {
      scratch?.countMemory(byteCount)
      self.init(Self.allocate(byteCount), byteCount, isMapped: false, in: scratch)
    }
  }

  private init(
    _ address: UnsafeMutableRawPointer, _ byteCount: Int, isMapped: Bool, in scratch: Scratch?
  ) {
    self.address = address
    self.byteCount = byteCount
    self.isMapped = isMapped
    self.scratch = scratch
  }

  deinit {
    guard !isMoved, byteCount > 0 else { return }
    if isMapped {
      scratch?.unmap(address, byteCount: byteCount)
    } else {
      free(address)
      scratch?.countMemory(-byteCount)
    }
  }

  /// The storage of empty columns.
  @usableFromInline
  static func empty(in scratch: Scratch?) -> ColumnStorage { scratch?.empty ?? none }

  private static let none = ColumnStorage(emptyIn: nil)

  /// Creates a storage without bytes.
  init(emptyIn scratch: Scratch?) {
    self.address = Self.nowhere
    self.byteCount = 0
    self.isMapped = false
    self.scratch = scratch
  }

  /// An aligned address at which nothing is read or written.
  nonisolated(unsafe) private static let nowhere = UnsafeMutableRawPointer.allocate(
    byteCount: 64, alignment: 64)

  /// Returns a storage of another size that starts with the bytes of this one, which must not be
  /// used afterwards.
  @usableFromInline
  func resized(toByteCount count: Int, keeping kept: Int) -> ColumnStorage {
    // `realloc` moves the pages of large blocks instead of copying them.
    guard byteCount > 0, !isMapped, scratch?.staysInMemory(count, insteadOf: byteCount) ?? true
    else { return copy(of: kept, byteCount: count) }
    isMoved = true
    scratch?.countMemory(count - byteCount)
    return ColumnStorage(Self.reallocate(address, count), count, isMapped: false, in: scratch)
  }

  /// Returns a storage with a copy of the first bytes of this one.
  @usableFromInline
  func copy(of kept: Int, byteCount count: Int) -> ColumnStorage {
    let copy = ColumnStorage(byteCount: count, in: scratch)
    copy.address.copyMemory(from: address, byteCount: kept)
    return copy
  }

  private static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    guard let address = malloc(count) else { preconditionFailure("out of memory") }
    return address
  }

  private static func reallocate(
    _ address: UnsafeMutableRawPointer, _ count: Int
  ) -> UnsafeMutableRawPointer {
    guard let moved = realloc(address, count) else { preconditionFailure("out of memory") }
    return moved
  }
}
