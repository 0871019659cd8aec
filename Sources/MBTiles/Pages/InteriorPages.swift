/// The pages above the leaves of a tree: the numbers of one level's pages, and the separators
/// between them.
///
/// Kept in memory until all leaves are written: 12 bytes and one separator per leaf.
struct InteriorPages {
  private let kind: TreePage.Kind
  private var children: ContiguousArray<UInt32> = []

  /// The separator after each child, one after the other, and the end of each; the last one's is
  /// unused.
  private var separators: [UInt8] = []
  private var ends: ContiguousArray<Int> = []

  /// The only leaf, which is the root then; `nil` where leaves are in the file.
  private var onlyLeaf: [UInt8]?

  init(_ kind: TreePage.Kind) {
    self.kind = kind
  }

  var isEmpty: Bool { children.isEmpty }

  /// Adds the last leaf, which is not in the file yet: if it is the only one it becomes the root.
  mutating func add(lastLeaf: UnsafeRawBufferPointer, to file: PageFile) throws(ArchiveError) {
    if children.isEmpty {
      onlyLeaf = Array(lastLeaf)
    } else {
      add(try file.append(lastLeaf), separator: [])
    }
  }

  /// Adds a page and the separator after it.
  mutating func add(_ child: UInt32, separator: some Collection<UInt8>) {
    children.append(child)
    separators.append(contentsOf: separator)
    ends.append(separators.count)
  }

  /// Adds a page and a separator of at most nine bytes, which `write` fills in.
  mutating func add(_ child: UInt32, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
    withUnsafeTemporaryAllocation(byteCount: 9, alignment: 1) { buffer in
      let count = write(buffer)
      add(child, separator: buffer[..<count])
    }
  }

  private func separator(_ child: Int) -> ArraySlice<UInt8> {
    separators[(child == 0 ? 0 : ends[child - 1])..<ends[child]]
  }

  /// Writes all levels and returns the number of the root, which is the child if there is only one.
  ///
  /// - Parameter spare: the number of pages of the file's head that are left for others before the root.
  /// - Complexity: O(children).
  func finish(in file: PageFile, sparing spare: Int = .max) throws(ArchiveError) -> UInt32 {
    if let onlyLeaf {
      return try onlyLeaf.withUnsafeBufferPointer { (leaf) throws(ArchiveError) in
        try file.append(root: UnsafeRawBufferPointer(leaf), sparing: spare)
      }
    }
    var level = self
    while level.children.count > 1 { level = try level.parents(in: file, sparing: spare) }
    return level.children[0]
  }

  /// Writes the pages of the level above.
  private func parents(
    in file: PageFile, sparing spare: Int
  ) throws(ArchiveError) -> InteriorPages {
    var parents = InteriorPages(kind)
    let page = TreePage(kind, file.pageSize)
    var child = 0
    while child < children.count {
      page.removeAll()
      while child < children.count - 1 {
        let separator = separator(child)
        guard let cell = page.add(separator.count + 4) else { break }
        cell.storeBytes(of: children[child].bigEndian, as: UInt32.self)
        UnsafeMutableRawBufferPointer(rebasing: cell[4...]).copyBytes(from: separator)
        child += 1
      }
      if child == children.count - 2 {
        // A page needs two children: the full one passes its last to the next, which would have
        // only one.
        _ = page.removeLast()
        child -= 1
      }
      let isRoot = parents.children.isEmpty && child == children.count - 1
      let number = try file.append(
        root: page.finish(rightmost: children[child]), sparing: isRoot ? spare : .max)
      parents.add(number, separator: separator(child))
      child += 1
    }
    return parents
  }
}

/// A tree whose leaves are in the file, with the pages above them, which are to be written.
struct UpperPages {
  /// The name of the table or index.
  let name: String
  let pages: InteriorPages

  init(_ name: String, _ pages: InteriorPages) {
    self.name = name
    self.pages = pages
  }
}
