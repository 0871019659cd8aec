import CDeflate

/// An encoder that writes the grid of a few features as a zlib stream, row by row: equal rows and
/// runs of a cell as repeats under deflate's fixed code (RFC 1951, section 3.2.6), without a
/// search.
///
/// Most tiles of a point map answer by one to four features. On a grid of one circle libdeflate
/// takes 17 µs at level 1 and 22 µs at level 6, nearly all for blank cells.
struct SparseGridStream: ~Copyable {
  /// Maximum number of keys of such a grid.
  static let keyLimit = 8

  /// Maximum total bytes of the keys.
  static let keyByteLimit = 4096

  /// The number of cells along each side, and the bytes of a row's text with its quotes and comma.
  private static let side = UTFGridEncoder.side
  private static let rowBytes = side + 3

  /// The bits of a symbol as they are appended, the first one lowest.
  private struct Code: BitwiseCopyable {
    var bits: UInt32 = 0
    var count: UInt32 = 0
  }

  private let literals = UnsafeMutableBufferPointer<Code>.allocate(capacity: 256)

  /// The codes of repeats by length up to 258, without the distance.
  private let lengths = UnsafeMutableBufferPointer<Code>.allocate(capacity: 259)
  private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
  private let text = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
  private var textCount = 0
  private var end = 0
  private var held: UInt64 = 0
  private var heldCount: UInt64 = 0

  init() {
    literals.initialize(repeating: Code())
    lengths.initialize(repeating: Code())
    for byte in 0..<256 { literals[byte] = Self.code(symbol: byte) }
    // RFC 1951, section 3.2.5: symbols from 257 on, each for 2^extra lengths.
    var length = 3
    for symbol in 257...284 {
      let extra = symbol < 265 ? 0 : UInt32(symbol - 261) / 4
      for more in 0..<(1 << extra) where length < 258 {
        var code = Self.code(symbol: symbol)
        code.bits |= UInt32(more) << code.count
        code.count += extra
        lengths[length] = code
        length += 1
      }
    }
    lengths[258] = Self.code(symbol: 285)
  }

  deinit {
    literals.deallocate()
    lengths.deallocate()
    room.deallocate()
    text.deallocate()
  }

  /// Returns a literal or length in the fixed code, its first bit lowest.
  private static func code(symbol: Int) -> Code {
    let (value, count): (Int, UInt32) =
      switch symbol {
      case ..<144: (0b0011_0000 + symbol, 8)
      case ..<256: (0b1_1001_0000 + symbol - 144, 9)
      case ..<280: (symbol - 256, 7)
      default: (0b1100_0000 + symbol - 280, 8)
      }
    var bits: UInt32 = 0
    for place in 0..<count where value >> Int(count - 1 - place) & 1 == 1 { bits |= 1 << place }
    return Code(bits: bits, count: count)
  }

  /// Appends a grid.
  ///
  /// - Parameters:
  ///   - cells: row by row; 0 or the index of the key + 1.
  ///   - keys: in the order of their first cell; at most ``keyLimit``, of ``keyByteLimit`` bytes.
  mutating func append(
    cells: UnsafeBufferPointer<UInt16>, keys: [[UInt8]], to bytes: inout [UInt8]
  ) {
    (textCount, end, held, heldCount) = (0, 0, 0, 0)
    // RFC 1950: deflate with a window of 32 KiB, the level of most compressors, a multiple of 31.
    room.storeBytes(of: UInt16(0x9C78).littleEndian, as: UInt16.self)
    end = 2
    // The last block, by the fixed code.
    put(Code(bits: 0b011, count: 3))
    literal(#"{"grid":["#)
    var repeated = 0
    for row in 0..<Self.side {
      let start = row * Self.side
      if row > 1, Self.isSame(cells, start) {
        repeated += Self.rowBytes
        continue
      }
      putRepeats(&repeated)
      if row > 0 { literal(UInt8(ascii: ",")) }
      literal(UInt8(ascii: "\""))
      appendRow(UnsafeBufferPointer(rebasing: cells[start..<(start + Self.side)]))
      literal(UInt8(ascii: "\""))
    }
    putRepeats(&repeated)
    literal(#"],"keys":["""#)
    for key in keys {
      literal(#",""#)
      for byte in key { literal(byte) }
      literal(UInt8(ascii: "\""))
    }
    literal("]}")
    put(Self.code(symbol: 256))
    flush()
    let checksum = UInt32(truncatingIfNeeded: libdeflate_adler32(1, text.baseAddress, textCount))
    bytes.append(contentsOf: room[..<end])
    withUnsafeBytes(of: checksum.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Whether a row's cells equal those of the row before.
  private static func isSame(_ cells: UnsafeBufferPointer<UInt16>, _ start: Int) -> Bool {
    let bytes = UnsafeRawBufferPointer(cells)
    for offset in stride(from: start * 2, to: (start + side) * 2, by: 8)
    where bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      != bytes.loadUnaligned(fromByteOffset: offset - side * 2, as: UInt64.self)
    {
      return false
    }
    return true
  }

  /// Appends cells, runs of one value as a repeat of the byte before.
  private mutating func appendRow(_ cells: UnsafeBufferPointer<UInt16>) {
    var column = 0
    while column < cells.count {
      let cell = cells[column]
      var next = column + 1
      while next < cells.count, cells[next] == cell { next += 1 }
      // Eight keys do not use the characters that need a second byte.
      let byte = UInt8(truncatingIfNeeded: UTFGridCode.character(of: Int(cell)))
      let run = next - column - 1
      literal(byte)
      if run >= 3 {
        put(lengths[run])
        // Distance 1: symbol 0.
        put(Code(bits: 0, count: 5))
        for place in textCount..<(textCount + run) { text[place] = byte }
        textCount += run
      } else {
        for _ in 0..<run { literal(byte) }
      }
      column = next
    }
  }

  /// Appends rows that equal the one before, their commas first.
  private mutating func putRepeats(_ count: inout Int) {
    while count > 0 {
      var taken = min(count, 258)
      if (1..<3).contains(count - taken) { taken -= 3 }
      put(lengths[taken])
      // Distance 67 is symbol 12 for 65 … 96, first bit highest, and five more bits.
      put(Code(bits: 0b00110 | UInt32(Self.rowBytes - 65) << 5, count: 10))
      count -= taken
      while taken > 0 {
        // Row by row, so that what is copied is there.
        let bytes = min(taken, Self.rowBytes)
        UnsafeMutableRawBufferPointer(rebasing: text[textCount..<(textCount + bytes)]).copyMemory(
          from: UnsafeRawBufferPointer(
            rebasing: text[(textCount - Self.rowBytes)..<(textCount - Self.rowBytes + bytes)]))
        textCount += bytes
        taken -= bytes
      }
    }
  }

  private mutating func literal(_ string: StaticString) {
    for byte in UnsafeBufferPointer(start: string.utf8Start, count: string.utf8CodeUnitCount) {
      literal(byte)
    }
  }

  @inline(__always)
  private mutating func literal(_ byte: UInt8) {
    text[textCount] = byte
    textCount += 1
    put(literals[Int(byte)])
  }

  @inline(__always)
  private mutating func put(_ code: Code) {
    held |= UInt64(code.bits) << heldCount
    heldCount += UInt64(code.count)
    if heldCount >= 32 {
      room.storeBytes(
        of: UInt32(truncatingIfNeeded: held).littleEndian, toByteOffset: end, as: UInt32.self)
      end += 4
      held >>= 32
      heldCount -= 32
    }
  }

  private mutating func flush() {
    while heldCount > 0 {
      room[end] = UInt8(truncatingIfNeeded: held)
      end += 1
      held >>= 8
      heldCount -= min(heldCount, 8)
    }
  }
}
