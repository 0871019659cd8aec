import CDeflate

/// An encoder of grids of keys as UTFGrid, compressed the way readers of archives expect.
///
/// UTFGrid 1.3: https://github.com/mapbox/utfgrid-spec/blob/master/1.3/utfgrid.md. The bytes are a zlib
/// stream (78 9c): the MBTiles specification says gzip, but readers inflate zlib. One per worker.
package final class UTFGridEncoder {
  /// The number of cells along each side.
  package static let side = 64

  /// Maximum bytes of a grid before compression.
  package static let byteLimit = 64 << 10

  private let compressor: OpaquePointer?
  private var text: [UInt8] = []

  /// The compression level of libdeflate, for which the header is 78 9c.
  ///
  /// A grid of some 20 features, 5 kB: 606 bytes in 39 µs; 649 in 18 µs at level 1, 571 in 248 µs at 9.
  private static let level: Int32 = 6

  private var sparse = SparseGridStream()

  package init() {
    compressor = libdeflate_alloc_compressor(Self.level)
  }

  deinit {
    if let compressor { libdeflate_free_compressor(compressor) }
  }

  /// The result of encoding: the resolution, and the keys that remain.
  package struct Result {
    /// The number of grid cells per written cell, along each side: 1 unless all keys would have
    /// taken too many bytes, otherwise 2, 4 and so on.
    package let step: Int

    /// The indexes of the keys that the grid still names, in its order.
    package let keys: [Int]
  }

  /// Appends a compressed grid to a buffer.
  ///
  /// - Parameters:
  ///   - cells: row by row from the north-west corner; 0 or the index of the cell's key + 1.
  ///   - rows: the rows outside of which all cells are 0.
  ///   - keys: in the order of their first cell, of characters that JSON does not escape; at most
  ///     4,096.
  /// - Complexity: O(cells + bytes of the keys).
  package func append(
    cells: [UInt16], rows: Range<Int> = 0..<side, keys: [[UInt8]], to bytes: inout [UInt8]
  ) -> Result {
    if keys.count <= SparseGridStream.keyLimit,
      keys.reduce(0, { $0 + $1.count }) <= SparseGridStream.keyByteLimit
    {
      cells.withUnsafeBufferPointer { sparse.append(cells: $0, rows: rows, keys: keys, to: &bytes) }
      return Result(step: 1, keys: Array(keys.indices))
    }
    var step = 1
    while true {
      let used = write(cells, keys, step: step)
      if text.count <= Self.byteLimit || step >= Self.side {
        compress(to: &bytes)
        return Result(step: step, keys: used)
      }
      // Where features are smaller than cells, any one of each four is as good as the others.
      step *= 2
    }
  }

  /// Writes the JSON text; returns the keys in the order of their first cell.
  private func write(_ cells: [UInt16], _ keys: [[UInt8]], step: Int) -> [Int] {
    // A property would be checked for overlapping accesses at each byte.
    var text = text
    self.text = []
    text.removeAll(keepingCapacity: true)
    var numbers = [UInt16](repeating: 0, count: keys.count + 1)
    var used: [Int] = []
    text.append(contentsOf: #"{"grid":["#.utf8)
    for row in 0..<Self.side {
      text.append(contentsOf: row == 0 ? [0x22] : [0x2C, 0x22])
      let start = (row / step * step) * Self.side
      for column in 0..<Self.side {
        let cell = Int(cells[start + column / step * step])
        if cell != 0, numbers[cell] == 0 {
          used.append(cell - 1)
          numbers[cell] = UInt16(truncatingIfNeeded: used.count)
        }
        Self.append(code: numbers[cell], to: &text)
      }
      text.append(0x22)
    }
    text.append(contentsOf: #"],"keys":[""#.utf8)
    text.append(0x22)
    for key in used {
      text.append(contentsOf: [0x2C, 0x22])
      text.append(contentsOf: keys[key])
      text.append(0x22)
    }
    text.append(contentsOf: "]}".utf8)
    self.text = text
    return used
  }

  /// Appends the character of a key's number: from the space on, without quote and backslash.
  @inline(__always)
  private static func append(code number: UInt16, to text: inout [UInt8]) {
    let character = UTFGridCode.character(of: Int(number))
    if character < 0x80 {
      text.append(UInt8(truncatingIfNeeded: character))
    } else if character < 0x800 {
      text.append(0xC0 | UInt8(truncatingIfNeeded: character >> 6))
      text.append(0x80 | UInt8(truncatingIfNeeded: character & 0x3F))
    } else {
      text.append(0xE0 | UInt8(truncatingIfNeeded: character >> 12))
      text.append(0x80 | UInt8(truncatingIfNeeded: character >> 6 & 0x3F))
      text.append(0x80 | UInt8(truncatingIfNeeded: character & 0x3F))
    }
  }

  private func compress(to bytes: inout [UInt8]) {
    let start = bytes.count
    let bound = libdeflate_zlib_compress_bound(compressor, text.count)
    bytes.append(contentsOf: repeatElement(0, count: bound))
    let count = text.withUnsafeBytes { text in
      bytes.withUnsafeMutableBytes { room in
        libdeflate_zlib_compress(
          compressor, text.baseAddress, text.count,
          room.baseAddress.map { $0 + start }, bound)
      }
    }
    bytes.removeLast(bound - count)
  }
}

/// The characters that stand for a grid's keys.
package enum UTFGridCode {
  /// Returns the character of the n-th key: 32 + n, one more from the quote on and one more from
  /// the backslash on.
  package static func character(of key: Int) -> UInt32 {
    var code = UInt32(truncatingIfNeeded: key + 32)
    if code >= 34 { code += 1 }
    if code >= 92 { code += 1 }
    return code
  }

  /// Returns the key of a character, `nil` for one that stands for none.
  package static func key(of character: UInt32) -> Int? {
    guard character >= 32, character != 34, character != 92 else { return nil }
    return Int(character) - 32 - (character > 34 ? 1 : 0) - (character > 92 ? 1 : 0)
  }
}
