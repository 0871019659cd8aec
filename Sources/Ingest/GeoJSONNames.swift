import JSON

/// The property names of a file in the order of their columns, found by their bytes.
///
/// A hash table with open addressing over one arena of bytes; a lookup allocates nothing. Records
/// of one file mostly name the same properties in the same order, so the name that followed last
/// time is tried before the table.
struct GeoJSONNames: ~Copyable {
  /// The names; the index of a name is its slot.
  private(set) var names: [String] = []

  private var bytes = JSONBuffer<UInt8>(capacity: 256)
  /// The end of each name in `bytes`.
  private var ends = JSONBuffer<Int>()
  private var spellings = JSONBuffer<JSONSpelling>()
  /// Slots by hash, −1 where free; their number is a power of two, at least twice the number of
  /// names.
  private var table = [Int32](repeating: -1, count: 64)
  private var expected = 0

  init(_ names: [String]) {
    for name in names {
      var name = name
      name.withUTF8 {
        let name = UnsafeRawBufferPointer($0)
        if slot(of: name) == nil { _ = append(name) }
      }
    }
  }

  /// The number of names.
  var count: Int { names.count }

  /// Begins a record: the first name is expected next.
  mutating func startRecord() { expected = 0 }

  /// Reads the name of the next member if it is the expected one, spelled without escapes; otherwise
  /// reads nothing.
  ///
  /// - Returns: the slot of the name.
  mutating func takeExpected(from json: inout JSONTokenizer) -> Int? {
    guard expected < count, json.take(spellings[expected]) else { return nil }
    expected += 1
    return expected - 1
  }

  /// Returns the slot of a name, if it is known.
  mutating func slot(of name: UnsafeRawBufferPointer) -> Int? {
    if expected < count, holds(expected, name) {
      expected += 1
      return expected - 1
    }
    var index = Self.hash(name) & (table.count - 1)
    while table[index] >= 0 {
      let slot = Int(table[index])
      if holds(slot, name) {
        expected = slot + 1
        return slot
      }
      index = (index + 1) & (table.count - 1)
    }
    return nil
  }

  /// Adds a name that is not known yet and returns its slot.
  mutating func append(_ name: UnsafeRawBufferPointer) -> Int {
    let slot = count
    names.append(String(decoding: name, as: UTF8.self))
    if let start = name.baseAddress {
      bytes.append(from: start.assumingMemoryBound(to: UInt8.self), count: name.count)
    }
    ends.append(bytes.count)
    spellings.append(JSONSpelling(name: name))
    expected = count
    if 2 * count > table.count { rebuild(2 * table.count) } else { enter(slot) }
    return slot
  }

  /// Removes all names after the first `kept`.
  mutating func truncate(to kept: Int) {
    guard kept < count else { return }
    names.removeLast(count - kept)
    ends.truncate(to: kept)
    spellings.truncate(to: kept)
    bytes.truncate(to: kept == 0 ? 0 : ends[kept - 1])
    rebuild(table.count)
  }

  private func bytes(of slot: Int) -> UnsafeRawBufferPointer {
    let start = slot == 0 ? 0 : ends[slot - 1]
    return UnsafeRawBufferPointer(start: bytes.start + start, count: ends[slot] - start)
  }

  @inline(__always)
  private func holds(_ slot: Int, _ name: UnsafeRawBufferPointer) -> Bool {
    let known = bytes(of: slot)
    guard known.count == name.count else { return false }
    for index in 0..<known.count where known[index] != name[index] { return false }
    return true
  }

  private mutating func rebuild(_ size: Int) {
    table = [Int32](repeating: -1, count: size)
    for slot in 0..<count { enter(slot) }
  }

  private mutating func enter(_ slot: Int) {
    var index = Self.hash(bytes(of: slot)) & (table.count - 1)
    while table[index] >= 0 { index = (index + 1) & (table.count - 1) }
    table[index] = Int32(truncatingIfNeeded: slot)
  }

  /// Returns the FNV-1a hash, folded so that the low bits depend on all.
  private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash ^ (hash >> 32))
  }
}
