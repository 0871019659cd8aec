/// A growing buffer of values that is emptied and refilled for every record.
///
/// It keeps its memory when it is emptied and provides a pointer that is stable between appends,
/// which the hot loops need and an array does not offer. All of it can be inlined and specialized
/// at the place of use.
@usableFromInline
package struct JSONBuffer<Element>: ~Copyable {
  @usableFromInline var memory: UnsafeMutablePointer<Element>
  @usableFromInline var used = 0
  @usableFromInline var capacity: Int

  @inlinable
  package init(capacity: Int = 64) {
    self.capacity = max(capacity, 1)
    memory = .allocate(capacity: self.capacity)
  }

  @inlinable
  deinit {
    memory.deinitialize(count: used)
    memory.deallocate()
  }

  /// The address of the first value; invalid after the next append.
  @inlinable package var start: UnsafeMutablePointer<Element> { memory }

  @inlinable package var count: Int { used }

  @inlinable package var isEmpty: Bool { used == 0 }

  /// The values; the pointer is invalid after the next append.
  @inlinable package var elements: UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(start: memory, count: used)
  }

  @inlinable
  package subscript(index: Int) -> Element {
    precondition(index >= 0 && index < used)
    return memory[index]
  }

  @inlinable @inline(__always)
  package mutating func append(_ element: Element) {
    if used == capacity { grow(to: used + 1) }
    (memory + used).initialize(to: element)
    used += 1
  }

  @inlinable
  package mutating func append(from source: UnsafePointer<Element>, count added: Int) {
    if used + added > capacity { grow(to: used + added) }
    (memory + used).initialize(from: source, count: added)
    used += added
  }

  /// Drops everything after the first `kept` values.
  @inlinable
  package mutating func truncate(to kept: Int) {
    precondition(kept >= 0 && kept <= used)
    (memory + kept).deinitialize(count: used - kept)
    used = kept
  }

  @inlinable
  package mutating func removeAll() { truncate(to: 0) }

  @inlinable
  package mutating func grow(to needed: Int) {
    let larger = max(needed, 2 * capacity)
    let moved = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    moved.moveInitialize(from: memory, count: used)
    memory.deallocate()
    memory = moved
    capacity = larger
  }
}
