/// A writer of numbers, texts and columns into one run of bytes. Thousands of small pieces take less room
/// so than as columns of an artifact.
package struct ByteWriter {
  package private(set) var bytes: Column<UInt8> = []

  package init() {}

  /// Appends a number that is not negative: seven bits to a byte.
  package mutating func append(_ count: Int) {
    var rest = UInt(bitPattern: count)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Appends a text, with its length.
  package mutating func append(_ text: String) {
    append(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends the elements of a column as they are in memory, with their number.
  package mutating func append<Element: BitwiseCopyable>(_ column: Column<Element>) {
    append(column.count)
    column.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// Appends what another writer has written, with its length.
  package mutating func append(_ other: ByteWriter) { append(other.bytes) }
}

/// A reader of what a ``ByteWriter`` wrote. Never traps, whatever the bytes are.
package struct ByteReader: Sendable {
  /// An error for bytes that end early or hold something else.
  package struct Damage: Error { package init() {} }

  private let bytes: Column<UInt8>
  private var rest: Range<Int>

  /// - Parameter range: the part of the bytes to read, within them.
  package init(_ bytes: Column<UInt8>, in range: Range<Int>) {
    self.bytes = bytes
    rest = range
  }

  /// Whether all bytes were read.
  package var isAtEnd: Bool { rest.isEmpty }

  /// Reads a number.
  package mutating func count() throws(Damage) -> Int {
    var (value, shift) = (UInt(0), UInt(0))
    while let place = rest.first, shift < 63 {
      rest.removeFirst()
      let byte = UInt(bytes[place])
      value |= (byte & 0x7F) << shift
      if byte < 0x80 { return Int(value) }
      shift += 7
    }
    throw Damage()
  }

  /// Reads a text.
  package mutating func text() throws(Damage) -> String {
    guard let text = String(validating: try column(of: UInt8.self), as: UTF8.self) else {
      throw Damage()
    }
    return text
  }

  /// Reads a column.
  package mutating func column<Element: BitwiseCopyable>(
    of _: Element.Type
  ) throws(Damage) -> Column<Element> {
    let count = try count()
    let size = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !size.overflow, size.partialValue <= rest.count else { throw Damage() }
    var column = Column<Element>(uninitializedCount: count)
    let start = rest.lowerBound
    column.withUnsafeMutableBufferPointer { elements in
      bytes.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(elements).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + size.partialValue]))
      }
    }
    rest = start + size.partialValue..<rest.upperBound
    return column
  }
}
