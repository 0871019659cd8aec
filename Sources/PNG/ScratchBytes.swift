/// Memory that only grows, reused from one picture to the next by its single owner.
struct ScratchBytes: ~Copyable {
  private var memory = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

  /// Returns at least `count` bytes with undefined content, valid until the next call.
  mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    if memory.count >= count, let start = memory.baseAddress { return start }
    memory.deallocate()
    let start = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
    start.initialize(repeating: 0, count: max(count, 1))
    memory = UnsafeMutableBufferPointer(start: start, count: max(count, 1))
    return start
  }

  deinit {
    memory.deallocate()
  }
}
