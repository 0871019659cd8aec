/// The size of the pages of an archive, and what follows from it.
///
/// Images longer than a quarter of a small page leave so much of its end unused that large pages
/// save space, at the price of more bytes to read for one tile.
package enum PageSize: Int, Codable, Hashable, Sendable {
  case small = 4096
  case large = 16384

  /// Bytes of a page.
  package var bytes: Int { rawValue }

  /// The number of the page that stays empty: SQLite locks the bytes from 2³⁰ on, and the page that
  /// contains them must not be used.
  var lockPage: UInt32 { UInt32((1 << 30) / bytes + 1) }

  /// Bytes of an overflow page after the number of the next one.
  var overflowPayload: Int { bytes - 4 }

  /// The mean number of bytes of a segment (``ArchiveSegments``). A segment ends with two pages
  /// that are half empty on average; longer segments of large pages keep that share small.
  var segmentBytes: UInt64 {
    switch self {
    case .small: 1 << 19
    case .large: 1 << 20
    }
  }
}

/// The division of a payload between its cell and a chain of overflow pages.
///
/// Source: https://www.sqlite.org/fileformat2.html#cell_payload_overflow_pages.
struct PayloadSplit {
  /// The trees that divide payloads in different ways.
  enum Tree {
    case table
    /// Four entries of an index fit into a page.
    case index
  }

  /// Bytes in the cell.
  let local: Int

  /// Bytes on overflow pages.
  let rest: Int

  init(_ count: Int, in tree: Tree, of size: PageSize) {
    let most = Self.most(in: tree, of: size)
    let least = (size.bytes - 12) * 32 / 255 - 23
    let even = least + (count - least) % size.overflowPayload
    local = count <= most ? count : even <= most ? even : least
    rest = count - local
  }

  /// Returns the maximum payload that has no overflow pages.
  private static func most(in tree: Tree, of size: PageSize) -> Int {
    switch tree {
    case .table: size.bytes - 35
    case .index: (size.bytes - 12) * 64 / 255 - 23
    }
  }

  /// Bytes of the cell for the payload and, if there is one, the number of the first overflow page.
  var cellSize: Int { rest == 0 ? local : local + 4 }
}
