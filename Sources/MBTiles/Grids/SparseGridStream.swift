/// An encoder that writes the grid of a few features as a zlib stream, row by row: equal rows and
/// runs of a cell as repeats under deflate's fixed code (RFC 1951, section 3.2.6), without a
/// search.
///
/// Most tiles of a point map answer by one to four features. On a grid of one circle libdeflate
/// takes 17 µs at level 1 and 22 µs at level 6, nearly all for blank cells. The text itself is never
/// written: the checksum of repeats follows from that of the bytes they repeat.
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
  private var sum = Adler()
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
  ///   - rows: the rows outside of which all cells are 0.
  ///   - keys: in the order of their first cell; at most ``keyLimit``, of ``keyByteLimit`` bytes.
  mutating func append(
    cells: UnsafeBufferPointer<UInt16>, rows: Range<Int>, keys: [[UInt8]], to bytes: inout [UInt8]
  ) {
    (sum, end, held, heldCount) = (Adler(), 0, 0, 0)
    // RFC 1950: deflate with a window of 32 KiB, the level of most compressors, a multiple of 31.
    room.storeBytes(of: UInt16(0x9C78).littleEndian, as: UInt16.self)
    end = 2
    // The last block, by the fixed code.
    put(Code(bits: 0b011, count: 3))
    literal(#"{"grid":["#)
    var repeated = 0
    var last = sum
    for row in 0..<Self.side {
      let start = row * Self.side
      if row > 1, row < rows.lowerBound || row > rows.upperBound || Self.isSame(cells, start) {
        repeated += 1
        continue
      }
      putRepeats(&repeated, since: last)
      last = sum
      if row > 0 { literal(UInt8(ascii: ",")) }
      literal(UInt8(ascii: "\""))
      appendRow(UnsafeBufferPointer(rebasing: cells[start..<(start + Self.side)]))
      literal(UInt8(ascii: "\""))
    }
    putRepeats(&repeated, since: last)
    literal(#"],"keys":["""#)
    for key in keys {
      literal(#",""#)
      for byte in key { literal(byte) }
      literal(UInt8(ascii: "\""))
    }
    literal("]}")
    put(Self.code(symbol: 256))
    flush()
    bytes.append(contentsOf: room[..<end])
    withUnsafeBytes(of: sum.value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Whether a row's cells equal those of the row before.
  private static func isSame(_ cells: UnsafeBufferPointer<UInt16>, _ start: Int) -> Bool {
    let row = UnsafeBufferPointer(rebasing: cells[start..<start + side])
    let last = UnsafeBufferPointer(rebasing: cells[start - side..<start])
    return UnsafeRawBufferPointer(row).hasSameBytes(as: UnsafeRawBufferPointer(last))
  }

  /// Appends cells, runs of one value as a repeat of the byte before.
  private mutating func appendRow(_ cells: UnsafeBufferPointer<UInt16>) {
    let bytes = UnsafeRawBufferPointer(cells)
    var column = 0
    while column < cells.count {
      let cell = cells[column]
      let four = UInt64(cell) &* 0x0001_0001_0001_0001
      var next = column &+ 1
      while next &+ 4 <= cells.count,
        bytes.loadUnaligned(fromByteOffset: next &* 2, as: UInt64.self) == four
      {
        next &+= 4
      }
      while next < cells.count, cells[next] == cell { next &+= 1 }
      // Eight keys do not use the characters that need a second byte.
      let byte = UInt8(truncatingIfNeeded: UTFGridCode.character(of: Int(cell)))
      let run = next - column - 1
      literal(byte)
      if run >= 3 {
        // Distance 1 is symbol 0, of five bits.
        var code = lengths[run]
        code.count += 5
        put(code)
        sum.add(byte, count: run)
      } else {
        for _ in 0..<run { literal(byte) }
      }
      column = next
    }
  }

  /// Appends rows that equal the one before, their commas first.
  ///
  /// - Parameter start: the checksum before that row.
  private mutating func putRepeats(_ count: inout Int, since start: Adler) {
    guard count > 0 else { return }
    sum.repeatBytes(since: start, length: Self.rowBytes, count: count)
    var rest = count * Self.rowBytes
    while rest > 0 {
      var taken = min(rest, 258)
      if (1..<3).contains(rest - taken) { taken -= 3 }
      put(lengths[taken])
      // Distance 67 is symbol 12 for 65 … 96, first bit highest, and five more bits.
      put(Code(bits: 0b00110 | UInt32(Self.rowBytes - 65) << 5, count: 10))
      rest -= taken
    }
    count = 0
  }

  private mutating func literal(_ string: StaticString) {
    for byte in UnsafeBufferPointer(start: string.utf8Start, count: string.utf8CodeUnitCount) {
      literal(byte)
    }
  }

  @inline(__always)
  private mutating func literal(_ byte: UInt8) {
    sum.add(byte)
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

/// The Adler-32 (RFC 1950) of at most some million bytes, which adds repeats without reading them.
private struct Adler: BitwiseCopyable {
  private var a: UInt64 = 1
  private var b: UInt64 = 0

  @inline(__always)
  mutating func add(_ byte: UInt8) {
    a &+= UInt64(byte)
    b &+= a
  }

  /// Adds a byte several times.
  @inline(__always)
  mutating func add(_ byte: UInt8, count: Int) {
    let (byte, count) = (UInt64(byte), UInt64(truncatingIfNeeded: count))
    b &+= count &* a &+ byte &* (count &* (count &+ 1) / 2)
    a &+= count &* byte
  }

  /// Adds the last bytes again.
  ///
  /// - Parameter start: the sum before these bytes.
  mutating func repeatBytes(since start: Adler, length: Int, count: Int) {
    let (length, count) = (UInt64(truncatingIfNeeded: length), UInt64(truncatingIfNeeded: count))
    let sum = a &- start.a
    let weighted = b &- start.b &- length &* start.a
    b &+= count &* (length &* a &+ weighted) &+ length &* sum &* (count &* (count &- 1) / 2)
    a &+= count &* sum
  }

  var value: UInt32 {
    UInt32(truncatingIfNeeded: b % 65521) << 16 | UInt32(truncatingIfNeeded: a % 65521)
  }
}
