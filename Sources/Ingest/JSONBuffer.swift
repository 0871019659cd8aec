/// A growing buffer of values that is emptied and refilled for every record.
///
/// It keeps its memory when it is emptied and hands out a stable pointer between appends, which is
/// what the hot loops need and an array does not give.
struct JSONBuffer<Element>: ~Copyable {
  private(set) var start: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 64) {
    self.capacity = max(capacity, 1)
    start = .allocate(capacity: self.capacity)
  }

  deinit {
    start.deinitialize(count: count)
    start.deallocate()
  }

  var isEmpty: Bool { count == 0 }

  /// The values; the pointer is valid until the next append.
  var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: start, count: count) }

  subscript(index: Int) -> Element {
    precondition(index >= 0 && index < count)
    return start[index]
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(to: count + 1) }
    (start + count).initialize(to: element)
    count += 1
  }

  mutating func append(from source: UnsafePointer<Element>, count added: Int) {
    if count + added > capacity { grow(to: count + added) }
    (start + count).initialize(from: source, count: added)
    count += added
  }

  /// Drops everything behind the first `kept` values.
  mutating func truncate(to kept: Int) {
    precondition(kept >= 0 && kept <= count)
    (start + kept).deinitialize(count: count - kept)
    count = kept
  }

  mutating func removeAll() { truncate(to: 0) }

  private mutating func grow(to needed: Int) {
    let larger = max(needed, 2 * capacity)
    let moved = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    moved.moveInitialize(from: start, count: count)
    start.deallocate()
    start = moved
    capacity = larger
  }
}
