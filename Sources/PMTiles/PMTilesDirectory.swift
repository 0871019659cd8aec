/// An entry of a directory: the location of a run of tiles, or of a leaf directory.
package struct PMTilesEntry: Hashable, Sendable {
  /// The number of the first tile.
  package var tile: UInt64

  /// The offset in the section of tiles, or of leaves.
  package var offset: UInt64

  /// The length in bytes; never 0.
  package var length: UInt32

  /// The number of consecutive tiles with this content; 0 for a leaf directory.
  package var runLength: UInt32

  package init(tile: UInt64, offset: UInt64, length: UInt32, runLength: UInt32) {
    self.tile = tile
    self.offset = offset
    self.length = length
    self.runLength = runLength
  }
}

/// Encoding of entries as bytes, before compression: columns of variable-length integers.
///
/// Source: PMTiles specification 3, chapter 4.
package enum PMTilesDirectory {
  /// Returns the bytes of entries, which must ascend.
  ///
  /// - Complexity: O(entries).
  package static func bytes(of entries: ArraySlice<PMTilesEntry>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * 6)
    func append(_ value: UInt64) {
      var rest = value
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    append(UInt64(entries.count))
    var last: UInt64 = 0
    for entry in entries {
      append(entry.tile - last)
      last = entry.tile
    }
    for entry in entries { append(UInt64(entry.runLength)) }
    for entry in entries { append(UInt64(entry.length)) }
    var end: UInt64?
    for entry in entries {
      append(entry.offset == end ? 0 : entry.offset + 1)
      end = entry.offset + UInt64(entry.length)
    }
    return bytes
  }

  /// Decodes entries, which are not trusted.
  ///
  /// - Throws: if the bytes are not a directory: truncated, out of order, with empty entries, or
  ///   sums beyond 64 bits.
  /// - Complexity: O(bytes).
  package static func entries(_ bytes: [UInt8]) throws(PMTilesFault) -> [PMTilesEntry] {
    var reader = VariableIntegers(bytes)
    let count = try reader.next()
    // Each entry has four integers of at least one byte.
    guard count > 0, count <= UInt64(bytes.count / 4) else {
      throw PMTilesFault("has a directory of \(count) entries in \(bytes.count) bytes")
    }
    var entries: [PMTilesEntry] = []
    entries.reserveCapacity(Int(count))
    var last: UInt64 = 0
    for index in 0..<count {
      let step = try reader.next()
      let (tile, isOver) = last.addingReportingOverflow(step)
      guard !isOver, index == 0 || step > 0 else {
        throw PMTilesFault("has a directory whose tiles are out of order")
      }
      last = tile
      entries.append(PMTilesEntry(tile: tile, offset: 0, length: 0, runLength: 0))
    }
    for index in entries.indices { entries[index].runLength = try reader.next32() }
    for index in entries.indices {
      entries[index].length = try reader.next32()
      guard entries[index].length > 0 else {
        throw PMTilesFault("has a directory with an entry of no bytes")
      }
    }
    for index in entries.indices {
      let value = try reader.next()
      guard value == 0 else {
        entries[index].offset = value - 1
        continue
      }
      guard index > 0 else { throw PMTilesFault("has a directory whose first entry has no offset") }
      let before = entries[index - 1]
      let (end, isOver) = before.offset.addingReportingOverflow(UInt64(before.length))
      guard !isOver else { throw PMTilesFault("has a directory with an offset beyond 64 bits") }
      entries[index].offset = end
    }
    guard reader.isAtEnd else { throw PMTilesFault("has bytes after the entries of a directory") }
    return entries
  }
}

/// Little-endian base-128 integers, one after the other.
private struct VariableIntegers {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { place == bytes.count }

  mutating func next() throws(PMTilesFault) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      // The tenth byte has only one significant bit.
      guard shift < 63 || byte <= 1 else { break }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw PMTilesFault("has a directory that is cut off")
  }

  mutating func next32() throws(PMTilesFault) -> UInt32 {
    guard let value = UInt32(exactly: try next()) else {
      throw PMTilesFault("has a directory with a length beyond 32 bits")
    }
    return value
  }
}
