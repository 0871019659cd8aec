import Features

/// The tag of 64 bytes before each column of an artifact: the type and number of its elements, so
/// that a wrong read is detected before its bytes are interpreted.
///
/// The rest of the 64 bytes is zero, and so is the padding of the column to a multiple of 64: every
/// column begins at such a multiple, in the file and in memory.
struct ArtifactColumnTag: Hashable, Sendable {
  static let byteCount = 64

  /// A hash of the name of the elements' type.
  let type: UInt64

  /// The distance in bytes from one element to the next.
  let stride: Int

  /// The number of elements.
  let count: Int

  init(type: UInt64, stride: Int, count: Int) {
    self.type = type
    self.stride = stride
    self.count = count
  }

  /// Creates the tag of a number of elements of a type.
  init<Element>(of element: Element.Type, count: Int) {
    var name = "\(Element.self)"
    type = name.withUTF8 { ContentHash(UnsafeRawBufferPointer($0)).low }
    stride = MemoryLayout<Element>.stride
    self.count = count
  }

  /// Parses a tag; `nil` if there are too few bytes or non-zero bytes after it.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.byteCount, bytes[24..<Self.byteCount].allSatisfy({ $0 == 0 }) else {
      return nil
    }
    func number(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    guard let stride = Int(exactly: number(8)), let count = Int(exactly: number(16)) else {
      return nil
    }
    self.init(type: number(0), stride: stride, count: count)
  }

  /// The encoded tag, 64 bytes.
  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    for (place, value) in [type, UInt64(stride), UInt64(count)].enumerated() {
      for byte in 0..<8 {
        bytes[place * 8 + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))
      }
    }
    return bytes
  }

  /// The number of bytes of the elements; `nil` if it is negative or overflows.
  var contentByteCount: Int? {
    let product = stride.multipliedReportingOverflow(by: count)
    return product.overflow ? nil : product.partialValue
  }

  /// Returns the next multiple of 64; `nil` on overflow.
  static func padded(_ count: Int) -> Int? {
    let sum = count.addingReportingOverflow(Self.byteCount - 1)
    return sum.overflow ? nil : sum.partialValue & ~(Self.byteCount - 1)
  }
}
