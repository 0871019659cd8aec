package import Files
package import MBTiles
package import SystemPackage
package import Tiling

/// A reader of PMTiles files from anywhere, whose content is not trusted.
///
/// Offsets and lengths are checked against the file, directories against their limits and their
/// order; a leaf may only contain tiles from its own entry to the next one, so that cycles are
/// impossible. Not thread-safe.
package final class PMTilesReader {
  /// Maximum bytes of a directory or of the metadata, decompressed.
  package static let directoryLimit = 64 << 20

  /// Maximum nesting depth of leaf directories; the specification's readers go to three.
  package static let depthLimit = 4

  package let path: FilePath
  package let header: PMTilesHeader

  /// Size of the file in bytes.
  package let size: Int

  /// The file, held open.
  package let held: HeldFile

  private var file: FileDescriptor { held.descriptor }
  private let root: [PMTilesEntry]

  /// The most recently read leaf, by its offset.
  private var leaf: (offset: UInt64, entries: [PMTilesEntry])?

  /// Opens a file and reads header and root.
  ///
  /// - Throws: ``ArchiveError/Code/missing``, ``ArchiveError/Code/permission`` or
  ///   ``ArchiveError/Code/badArchive``.
  package convenience init(_ path: FilePath) throws(ArchiveError) {
    try self.init(try HeldFile(archive: path))
  }

  /// Reads header and root of a file.
  ///
  /// - Throws: ``ArchiveError/Code/badArchive``.
  package init(_ held: HeldFile) throws(ArchiveError) {
    self.held = held
    path = held.path
    let file = held.descriptor
    do {
      let size = Int(try file.seek(offset: 0, from: .end))
      self.size = size
      let bytes = try Self.read(
        file, PMTilesHeader.Section(offset: 0, length: UInt64(min(size, PMTilesHeader.size))), size)
      let header = try bytes.withUnsafeBytes { try PMTilesHeader($0) }
      self.header = header
      root = try Self.directory(file, header.root, header, size)
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Returns the metadata, decompressed: a JSON object, if the file is valid.
  package func metadata() throws(ArchiveError) -> [UInt8] {
    do {
      guard header.metadata.length > 0 else { return [] }
      return try Self.decompressed(file, header.metadata, header, size)
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Returns the bytes of a tile as they are stored, or `nil` if there is none.
  package func tile(_ tile: TileCoord) throws(ArchiveError) -> [UInt8]? {
    try entry(of: tile).map { (entry) throws(ArchiveError) in try bytes(of: entry) }
  }

  /// Returns the entry that leads to a tile, or `nil` if there is none.
  package func entry(of tile: TileCoord) throws(ArchiveError) -> PMTilesEntry? {
    guard tile.isValid else { return nil }
    let number = HilbertTile(tile).rawValue
    do {
      var entries = root
      for _ in 0...Self.depthLimit {
        guard let entry = Self.last(in: entries, upTo: number) else { return nil }
        if entry.runLength > 0 {
          return number - entry.tile < UInt64(entry.runLength) ? entry : nil
        }
        entries = try leafEntries(entry)
      }
      throw PMTilesFault("has more than \(Self.depthLimit) directories below one another")
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Returns the bytes of the first tile, or `nil` if there is none.
  package func firstTile() throws(ArchiveError) -> [UInt8]? {
    do {
      var entries = root
      for _ in 0...Self.depthLimit {
        guard let entry = entries.first else { return nil }
        if entry.runLength > 0 { return try content(entry) }
        entries = try leafEntries(entry)
      }
      throw PMTilesFault("has more than \(Self.depthLimit) directories below one another")
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Calls `body` for each entry that leads to tiles, in order.
  ///
  /// - Returns: the number of leaf directories.
  /// - Complexity: O(entries).
  @discardableResult
  package func forEachEntry(
    _ body: (PMTilesEntry) throws -> Void
  ) throws(ArchiveError) -> Int {
    do {
      var walk = Walk(leaves: 0, next: 0)
      try visit(root, before: .max, depth: 0, &walk, body)
      return walk.leaves
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Returns the bytes to which an entry of ``forEachEntry(_:)`` leads.
  package func bytes(of entry: PMTilesEntry) throws(ArchiveError) -> [UInt8] {
    do {
      return try content(entry)
    } catch {
      throw Self.failure(error, path)
    }
  }

  // MARK: Directories

  private struct Walk {
    var leaves: Int
    /// The smallest number that the next tile may have.
    var next: UInt64
  }

  /// - Parameter before: the number that tiles must stay below.
  private func visit(
    _ entries: [PMTilesEntry], before: UInt64, depth: Int, _ walk: inout Walk,
    _ body: (PMTilesEntry) throws -> Void
  ) throws {
    for (index, entry) in entries.enumerated() {
      guard entry.tile >= walk.next, entry.tile < before else {
        throw PMTilesFault("has directories whose tiles are out of order at tile \(entry.tile)")
      }
      guard entry.runLength == 0 else {
        let (end, isOver) = entry.tile.addingReportingOverflow(UInt64(entry.runLength))
        guard !isOver, end <= before else {
          throw PMTilesFault("has a run of tiles beyond its directory at tile \(entry.tile)")
        }
        walk.next = end
        try body(entry)
        continue
      }
      guard depth < Self.depthLimit else {
        throw PMTilesFault("has more than \(Self.depthLimit) directories below one another")
      }
      walk.leaves += 1
      let end = index + 1 < entries.count ? entries[index + 1].tile : before
      let leaf = try Self.directory(file, try leafSection(entry), header, size)
      guard leaf.first?.tile == entry.tile else {
        throw PMTilesFault("has a directory that does not begin with tile \(entry.tile)")
      }
      try visit(leaf, before: end, depth: depth + 1, &walk, body)
    }
  }

  private func leafEntries(_ entry: PMTilesEntry) throws -> [PMTilesEntry] {
    if let leaf, leaf.offset == entry.offset { return leaf.entries }
    let entries = try Self.directory(file, try leafSection(entry), header, size)
    leaf = (entry.offset, entries)
    return entries
  }

  private func leafSection(_ entry: PMTilesEntry) throws(PMTilesFault) -> PMTilesHeader.Section {
    try Self.section(entry, in: header.leaves, "leaf directory")
  }

  private func content(_ entry: PMTilesEntry) throws -> [UInt8] {
    try Self.read(file, try Self.section(entry, in: header.tiles, "tile"), size)
  }

  /// Returns the section of the file to which an entry leads.
  package static func section(
    _ entry: PMTilesEntry, in section: PMTilesHeader.Section, _ what: String
  ) throws(PMTilesFault) -> PMTilesHeader.Section {
    let (end, isOver) = entry.offset.addingReportingOverflow(UInt64(entry.length))
    let (offset, isBeyond) = section.offset.addingReportingOverflow(entry.offset)
    guard !isOver, !isBeyond, end <= section.length else {
      throw PMTilesFault("leads out of its section for \(what) \(entry.tile)")
    }
    return PMTilesHeader.Section(offset: offset, length: UInt64(entry.length))
  }

  /// Returns the last entry whose first tile is not beyond a number.
  private static func last(in entries: [PMTilesEntry], upTo number: UInt64) -> PMTilesEntry? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].tile <= number { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : entries[low - 1]
  }

  private static func directory(
    _ file: FileDescriptor, _ section: PMTilesHeader.Section, _ header: PMTilesHeader, _ size: Int
  ) throws -> [PMTilesEntry] {
    try PMTilesDirectory.entries(try decompressed(file, section, header, size))
  }

  // MARK: Bytes

  private static func decompressed(
    _ file: FileDescriptor, _ section: PMTilesHeader.Section, _ header: PMTilesHeader, _ size: Int
  ) throws -> [UInt8] {
    guard section.length <= UInt64(directoryLimit) else {
      throw PMTilesFault("has a directory or metadata of \(section.length) bytes")
    }
    return try unpacked(try read(file, section, size), header)
  }

  /// Returns the bytes of a directory or of the metadata, decompressed.
  package static func unpacked(
    _ bytes: [UInt8], _ header: PMTilesHeader
  ) throws(PMTilesFault) -> [UInt8] {
    switch header.internalCompression {
    case .none: return bytes
    case .gzip:
      let content = bytes.withUnsafeBytes { Gzip.decompress($0, limit: directoryLimit) }
      guard let content else {
        throw PMTilesFault("has a directory or metadata that is damaged, or beyond 64 MiB")
      }
      return content
    case .unknown, .brotli, .zstandard:
      throw PMTilesFault("has directories compressed in another way than gzip, which is not read")
    }
  }

  private static func read(
    _ file: FileDescriptor, _ section: PMTilesHeader.Section, _ size: Int
  ) throws -> [UInt8] {
    let (end, isOver) = section.offset.addingReportingOverflow(section.length)
    guard !isOver, end <= UInt64(size) else {
      throw PMTilesFault("ends before byte \(isOver ? UInt64.max : end), to which its header leads")
    }
    var bytes = [UInt8](repeating: 0, count: Int(section.length))
    var done = 0
    while done < bytes.count {
      let count = try bytes.withUnsafeMutableBytes { buffer in
        try file.read(
          fromAbsoluteOffset: Int64(section.offset) + Int64(done),
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
      }
      guard count > 0 else { throw PMTilesFault("became shorter while it was read") }
      done += count
    }
    return bytes
  }

  package static func failure(_ error: any Error, _ path: FilePath) -> ArchiveError {
    switch error {
    case let error as ArchiveError: return error
    case let fault as PMTilesFault:
      return ArchiveError(.content(.damagedPMTiles(fault: fault.message)), path: path)
    default:
      return ArchiveError(.file(.unreadable(error as? Errno ?? .ioError)), path: path)
    }
  }
}
