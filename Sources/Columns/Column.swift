/// A column of plain values: an array whose elements may lie in a scratch file instead of memory.
///
/// It has value semantics and as much of an array's interface as columns need: a copy shares the
/// elements until one of the two is changed. Its ``Scratch`` decides where the elements lie,
/// whatever they are; without a scratch they lie in memory. A column that is derived from another
/// belongs to the same scratch (`Column(…, in: other.scratch)`).
///
/// It is no `MutableCollection`: sorting a slice of one would copy all of it.
@usableFromInline
package struct Column<Element: BitwiseCopyable>: @unchecked Sendable {
  // Sendable: a storage that several columns share is only read.
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var length: Int
  @usableFromInline var storage: ColumnStorage

  /// Creates an empty column.
  ///
  /// - Parameter scratch: decides where the elements lie; `nil` for memory.
  @inlinable
  package init(in scratch: Scratch? = nil) {
    self.init(ColumnStorage.empty(in: scratch), length: 0)
  }

  /// Creates a column whose every element the caller writes before it reads any.
  ///
  /// - Complexity: O(1); pages are touched when written.
  @inlinable
  package init(uninitializedCount count: Int, in scratch: Scratch? = nil) {
    self.init(
      count == 0
        ? ColumnStorage.empty(in: scratch)
        : ColumnStorage(byteCount: count * MemoryLayout<Element>.stride, in: scratch),
      length: count)
  }

  /// Creates a column of equal elements.
  @inlinable
  package init(repeating element: Element, count: Int, in scratch: Scratch? = nil) {
    self.init(uninitializedCount: count, in: scratch)
    base.update(repeating: element, count: count)
  }

  /// Creates a column with the elements of a sequence.
  @inlinable
  package init(_ elements: some Sequence<Element>, in scratch: Scratch? = nil) {
    self.init(in: scratch)
    append(contentsOf: elements)
  }

  @inlinable
  init(_ storage: ColumnStorage, length: Int) {
    self.storage = storage
    self.length = length
    base = storage.address.assumingMemoryBound(to: Element.self)
  }

  /// The scratch to which the column belongs; `nil` for memory.
  @inlinable package var scratch: Scratch? { storage.scratch }

  /// The number of elements for which there is room.
  @inlinable package var capacity: Int { storage.byteCount / MemoryLayout<Element>.stride }

  // MARK: Reading

  @inlinable
  package subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: length), "index out of range")
      // Without it the optimizer may release the storage of a temporary column first.
      defer { _fixLifetime(storage) }
      return base[index]
    }
    @inline(__always) _modify {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: length), "index out of range")
      makeUnique()
      yield &base[index]
    }
  }

  /// Calls `body` with the elements, which are valid until it returns.
  @inlinable
  package func withUnsafeBufferPointer<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeBufferPointer(start: base, count: length))
  }

  /// Calls `body` with the bytes of the elements, which are valid until it returns.
  @inlinable
  package func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(
      UnsafeRawBufferPointer(start: base, count: length * MemoryLayout<Element>.stride))
  }

  // MARK: Writing

  /// Calls `body` with the elements, which it may change.
  @inlinable
  package mutating func withUnsafeMutableBufferPointer<Result, Failure: Error>(
    _ body: (UnsafeMutableBufferPointer<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    makeUnique()
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeMutableBufferPointer(start: base, count: length))
  }

  /// Appends an element.
  ///
  /// - Complexity: O(1) amortized.
  @inlinable @inline(__always)
  package mutating func append(_ element: Element) {
    ensureRoom(for: 1)
    base[length] = element
    length &+= 1
  }

  /// Appends the elements of a sequence.
  @inlinable
  package mutating func append(contentsOf elements: some Sequence<Element>) {
    let isCopied: Void? = elements.withContiguousStorageIfAvailable { append(copying: $0) }
    if isCopied != nil { return }
    let least = elements.underestimatedCount
    if least > 0 { ensureRoom(for: least) }
    for element in elements { append(element) }
  }

  /// Appends the bytes of a buffer as elements.
  @inlinable
  package mutating func append(contentsOf bytes: UnsafeRawBufferPointer) where Element == UInt8 {
    bytes.withMemoryRebound(to: UInt8.self) { append(copying: $0) }
  }

  /// Appends equal elements.
  @inlinable
  package mutating func append(repeating element: Element, count: Int) {
    guard count > 0 else { return }
    ensureRoom(for: count)
    (base + length).update(repeating: element, count: count)
    length += count
  }

  @inlinable
  mutating func append(copying elements: UnsafeBufferPointer<Element>) {
    guard let start = elements.baseAddress, !elements.isEmpty else { return }
    ensureRoom(for: elements.count)
    (base + length).update(from: start, count: elements.count)
    length += elements.count
  }

  /// Replaces a range with as many elements of another column.
  @inlinable
  package mutating func replace(_ range: Range<Int>, with other: Column) {
    precondition(range.lowerBound >= 0 && range.upperBound <= length, "range out of bounds")
    precondition(range.count == other.length, "another number of elements")
    makeUnique()
    (base + range.lowerBound).update(from: other.base, count: other.length)
    _fixLifetime(other.storage)
  }

  /// Removes the last elements.
  @inlinable
  package mutating func removeLast(_ count: Int = 1) {
    precondition((0...length).contains(count), "more elements than there are")
    length -= count
  }

  /// Removes all elements.
  @inlinable
  package mutating func removeAll(keepingCapacity keepsCapacity: Bool = false) {
    length = 0
    if !keepsCapacity { self = Column(in: scratch) }
  }

  /// Makes room for a total number of elements.
  @inlinable
  package mutating func reserveCapacity(_ count: Int) {
    if count > capacity { move(toCapacity: count) }
  }

  /// Makes sure that no other column shares the elements, and that there is room for more.
  @inlinable @inline(__always)
  mutating func ensureRoom(for count: Int) {
    let needed = (length + count) * MemoryLayout<Element>.stride
    if _fastPath(needed <= storage.byteCount && isKnownUniquelyReferenced(&storage)) { return }
    grow(for: count)
  }

  @inlinable @inline(__always)
  mutating func makeUnique() {
    if _fastPath(isKnownUniquelyReferenced(&storage)) { return }
    move(toCapacity: length)
  }

  @inlinable @inline(never)
  mutating func grow(for count: Int) {
    let needed = length + count
    // A scratch file grows by a half only, since its capacity takes blocks of the disk.
    let wider = storage.isMapped ? capacity + capacity / 2 : 2 * capacity
    move(toCapacity: needed <= capacity ? capacity : Swift.max(needed, wider, 16))
  }

  /// Moves the elements to a storage of their own with a capacity.
  @inlinable @inline(never)
  mutating func move(toCapacity capacity: Int) {
    let stride = MemoryLayout<Element>.stride
    let bytes = Swift.max(capacity, length) * stride
    if bytes == 0 {
      storage = .empty(in: scratch)
    } else if isKnownUniquelyReferenced(&storage) {
      storage = storage.resized(toByteCount: bytes, keeping: length * stride)
    } else {
      storage = storage.copy(of: length * stride, byteCount: bytes)
    }
    base = storage.address.assumingMemoryBound(to: Element.self)
  }
}

extension Column: RandomAccessCollection {
  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { length }
  @inlinable package var count: Int { length }
  @inlinable package var isEmpty: Bool { length == 0 }
  @inlinable package var indices: Range<Int> { 0..<length }

  @inlinable
  package func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeBufferPointer(start: base, count: length))
  }

  /// The elements in order.
  @usableFromInline
  package struct Iterator: IteratorProtocol {
    @usableFromInline let storage: ColumnStorage
    @usableFromInline var next_: UnsafeMutablePointer<Element>
    @usableFromInline let end: UnsafeMutablePointer<Element>

    @inlinable
    init(_ column: Column) {
      storage = column.storage
      next_ = column.base
      end = column.base + column.length
    }

    @inlinable @inline(__always)
    package mutating func next() -> Element? {
      guard next_ < end else { return nil }
      defer {
        next_ += 1
        _fixLifetime(storage)
      }
      return next_.pointee
    }
  }

  @inlinable package func makeIterator() -> Iterator { Iterator(self) }
}

extension Column: ExpressibleByArrayLiteral {
  @inlinable
  package init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension Column: Equatable where Element: Equatable {
  @inlinable
  package static func == (left: Column, right: Column) -> Bool { left.elementsEqual(right) }
}

extension Column: Hashable where Element: Hashable {
  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(length)
    for element in self { hasher.combine(element) }
  }
}

extension Column: CustomStringConvertible {
  @usableFromInline package var description: String { Array(self).description }
}
