import Features

/// Which ids of a source occurred before: an open hash table that keeps record numbers and compares
/// the bytes of the ids themselves, so no two different ids are ever taken for one.
struct IdentifierIndex {
  /// Record numbers plus one; 0 is free. The size is a power of two, at least twice the ids.
  private var slots = ContiguousArray<UInt32>(repeating: 0, count: 1 << 10)
  private var ids = PropertyColumn(name: "id")

  /// The number of ids.
  var count: Int { ids.count }

  /// Remembers an id, under the number ``count``, unless it is there already.
  ///
  /// - Returns: the number under which it was there before, or `nil`.
  /// - Complexity: O(length) on average. The hash is seeded anew in every process, so a file cannot
  ///   aim at one slot, and the result does not depend on it.
  mutating func insert(_ id: UnsafeRawBufferPointer) -> Int? {
    if (count + 1) * 2 > slots.count { grow() }
    let (slot, number) = find(id)
    if let number { return number }
    slots[slot] = UInt32(count + 1)
    ids.append(.string, bytes: id)
    return nil
  }

  /// The number under which an id is there, or `nil`.
  ///
  /// - Complexity: O(length) on average.
  func number(of id: UnsafeRawBufferPointer) -> Int? { find(id).number }

  /// Lends the bytes of a number's id.
  func withBytes<R>(_ number: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try ids.withBytes(number, body)
  }

  /// The id of a number as text.
  func text(_ number: Int) -> String { ids.text(number) ?? "" }

  /// The slot of an id, or the free one where it belongs.
  private func find(_ id: UnsafeRawBufferPointer) -> (slot: Int, number: Int?) {
    var slot = place(of: id)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if ids.withBytes(number, { $0.elementsEqual(id) }) { return (slot, number) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return (slot, nil)
  }

  /// Whether there is room for an id of this length: the bytes of all are counted in 32 bits.
  func hasRoom(for id: UnsafeRawBufferPointer) -> Bool {
    ids.bytes.count + id.count <= PropertyColumn.byteLimit && count < Int(Int32.max)
  }

  private func place(of id: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: id)
    return hasher.finalize() & (slots.count - 1)
  }

  private mutating func grow() {
    slots = ContiguousArray(repeating: 0, count: slots.count * 2)
    for number in 0..<count {
      var slot = ids.withBytes(number) { place(of: $0) }
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(number + 1)
    }
  }
}
