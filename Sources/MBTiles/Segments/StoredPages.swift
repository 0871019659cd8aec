import Columns
import SQLite
package import SystemPackage

/// The pages of an archive that this program wrote, from which segments are copied into another.
package final class StoredPages: Sendable {
  /// A leaf of a table.
  struct Leaf: BitwiseCopyable, Sendable {
    let page: UInt32
    /// The number of its last row, or of another one up to the next leaf's first.
    let lastRow: UInt64
  }

  let path: FilePath
  let file: FileDescriptor
  let pageSize: PageSize
  private let scan: PageScan

  /// The leaves of the tables of tiles and of images, in order; of the latter none in the layout
  /// `flat`.
  let tiles: [Leaf]
  let images: [Leaf]

  /// The indexes of tiles and of images; the latter is empty in the layout `flat`.
  let tileIndex: StoredIndex
  let imageIndex: StoredIndex

  /// The leaves of the tables of UTFGrids and of their keys, and the indexes of both; empty for an
  /// archive without.
  let grids: [Leaf]
  let keys: [Leaf]
  let gridIndex: StoredIndex
  let keyIndex: StoredIndex

  /// Whether tiles name UTFGrids.
  package let hasGrids: Bool

  /// Opens an archive.
  ///
  /// - Throws: ``ArchiveError``, also where the pages are not those of this program.
  /// - Complexity: O(interior pages).
  package init(
    _ path: FilePath, layout: ArchiveLayout, pageSize: PageSize
  ) throws(ArchiveError) {
    self.path = path
    self.pageSize = pageSize
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
    } catch {
      throw ArchiveError(.file(.unreadable(error as? Errno ?? .ioError)), path: path)
    }
    self.file = file
    do throws(ArchiveError) {
      let roots = try Self.roots(path)
      hasGrids = roots["grid_utfgrid"] != nil
      let scan = PageScan(file: file, path: path, pageSize: pageSize)
      let table = layout.tileTable
      guard let root = roots[table], let entries = roots["\(table)_index"] else {
        throw scan.damaged
      }
      tiles = try scan.leaves(below: root)
      tileIndex = try scan.index(below: entries)
      func leaves(_ table: String) throws(ArchiveError) -> [Leaf] {
        try roots[table].map { (root) throws(ArchiveError) in try scan.leaves(below: root) } ?? []
      }
      func index(_ name: String) throws(ArchiveError) -> StoredIndex {
        try roots[name].map { (root) throws(ArchiveError) in try scan.index(below: root) }
          ?? StoredIndex()
      }
      (images, imageIndex) = (try leaves("images"), try index("images_index"))
      (grids, gridIndex) = (try leaves("grid_utfgrid"), try index("grid_utfgrid_index"))
      (keys, keyIndex) = (try leaves("grid_key"), try index("grid_key_index"))
      self.scan = scan
    } catch {
      try? file.close()
      throw error
    }
  }

  deinit { try? file.close() }

  /// Whether each segment of a list ends with a leaf of its own, as they were written.
  package func hold(_ segments: SegmentList) -> Bool {
    (0..<segments.count).allSatisfy { segment in
      leaves(of: \.tiles, on: segments.pages(segment)).last?.lastRow == segments.lastTiles[segment]
    }
  }

  /// Returns those pages of a segment that hold the numbers of other pages, with these numbers as they
  /// are where the segment lies elsewhere.
  ///
  /// - Parameter shift: what is added to each number.
  /// - Returns: ranges of pages that follow one another, by their numbers here, with their bytes.
  /// - Complexity: O(bytes of the segment).
  func shifted(
    _ pages: Range<UInt32>, by shift: Int64
  ) throws(ArchiveError) -> [(first: UInt32, bytes: [UInt8])] {
    var isLeaf = [Bool](repeating: false, count: pages.count)
    for table in [\StoredPages.tiles, \.images, \.grids, \.keys] {
      for leaf in leaves(of: table, on: pages) { isLeaf[Int(leaf.page - pages.lowerBound)] = true }
    }
    let all = UnsafeMutableRawBufferPointer.allocate(
      byteCount: pages.count * pageSize.bytes, alignment: 4096)
    defer { all.deallocate() }
    try scan.read(pages.lowerBound, into: all)
    var changed: [Range<Int>] = []
    for index in 0..<pages.count {
      let place = index * pageSize.bytes..<(index + 1) * pageSize.bytes
      let page = UnsafeMutableRawBufferPointer(rebasing: all[place])
      let isChanged =
        isLeaf[index]
        ? try scan.shiftCells(page, by: shift) : PageScan.shiftNumber(in: page, at: 0, by: shift)
      guard isChanged else { continue }
      if let last = changed.last, last.upperBound == place.lowerBound {
        changed[changed.count - 1] = last.lowerBound..<place.upperBound
      } else {
        changed.append(place)
      }
    }
    return changed.map { place in
      (pages.lowerBound + UInt32(place.lowerBound / pageSize.bytes), Array(all[place]))
    }
  }

  /// Returns the roots of the tables and indexes, by their names.
  private static func roots(_ path: FilePath) throws(ArchiveError) -> [String: UInt32] {
    do throws(SQLiteError) {
      let database = try Database(path: path.string, mode: .immutable, trust: .foreign)
      let tables = try database.prepare(
        "SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0")
      var roots: [String: UInt32] = [:]
      while try tables.step() {
        roots[tables.text(0) ?? ""] = UInt32(clamping: tables.integer(1))
      }
      return roots
    } catch {
      throw ArchiveError(error, doing: "read", path: path)
    }
  }

  /// The error for pages that are not those of this program.
  var damaged: ArchiveError { scan.damaged }

  /// Returns the bytes of a page.
  func page(_ number: UInt32) throws(ArchiveError) -> [UInt8] { try scan.read(number) }

  /// Returns the cells of an index's leaf, in order.
  func cells(
    ofIndexLeaf page: UnsafeRawBufferPointer
  ) throws(ArchiveError) -> [UnsafeRawBufferPointer] {
    try scan.cells(ofIndexLeaf: page)
  }

  /// Returns the record in the cell of an index entry.
  func record(ofCell cell: UnsafeRawBufferPointer) throws(ArchiveError) -> UnsafeRawBufferPointer {
    try scan.record(ofCell: cell)
  }

  /// Returns the leaves of a table on some pages.
  func leaves(of table: KeyPath<StoredPages, [Leaf]>, on pages: Range<UInt32>) -> ArraySlice<Leaf> {
    let all = self[keyPath: table]
    let first = Self.firstIndex(in: all, page: pages.lowerBound)
    return all[first..<Self.firstIndex(in: all, page: pages.upperBound)]
  }

  /// Returns the index of the first leaf on a page or after it: leaves are written in order.
  private static func firstIndex(in leaves: [Leaf], page: UInt32) -> Int {
    leaves.bisectedIndex(notBefore: { $0.page < page })
  }
}
