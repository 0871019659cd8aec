/// Two hashes for each row of a batch: memory that an examination reuses.
final class HashScratch {
  /// The hash of each record; 0 where it does not count.
  private(set) var records = UnsafeMutableBufferPointer<UInt64>(start: nil, count: 0)
  /// The hash of each record's position if it is a point, otherwise 0.
  private(set) var places = UnsafeMutableBufferPointer<UInt64>(start: nil, count: 0)

  private var memory = UnsafeMutableBufferPointer<UInt64>(start: nil, count: 0)

  deinit { memory.deallocate() }

  /// Makes room for a number of rows and clears it.
  func reset(_ count: Int) {
    if 2 * count > memory.count {
      memory.deallocate()
      memory = .allocate(capacity: 2 * count)
    }
    memory.initialize(repeating: 0)
    records = UnsafeMutableBufferPointer(rebasing: memory[..<count])
    places = UnsafeMutableBufferPointer(rebasing: memory[count..<(2 * count)])
  }
}
