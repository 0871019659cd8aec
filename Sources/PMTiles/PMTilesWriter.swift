import Files
package import MBTiles
package import SystemPackage
package import Tiling

/// Statistics of a written file.
package struct PMTilesSummary: Hashable, Sendable {
  /// The number of tiles before run lengths.
  package let tiles: Int
  /// The number of entries of all directories that lead to tiles.
  package let entries: Int
  /// The number of distinct contents.
  package let contents: Int
  /// The number of leaf directories; 0 if the root contains all entries.
  package let leaves: Int
  /// Size of the file in bytes.
  package let bytes: Int
}

/// A writer of one PMTiles file: tiles come in any order, each once, and are stored along the
/// Hilbert curve, deduplicated.
///
/// Distinct contents are kept in an unlinked file; memory is 16 bytes per tile, 40 per entry and 60
/// per content. Equal tiles give equal bytes, whatever their order.
package final class PMTilesWriter {
  /// A tile and the number of its content.
  private struct Place {
    var tile: UInt64
    var content: UInt32
  }

  private let path: FilePath
  private let store: ImageStore
  private var index = ImageIndex()
  private var contents: ContiguousArray<UnsafeRawBufferPointer> = []
  private var places: ContiguousArray<Place> = []

  /// Creates the unlinked file; ``finish(_:metadata:)`` creates the other one.
  ///
  /// - Parameters:
  ///   - path: the path of the new file, which must not exist.
  ///   - scratch: the folder of the unlinked file; `nil` for the file's own.
  package init(path: FilePath, scratch: FilePath? = nil) throws(ArchiveError) {
    self.path = path
    store = try ImageStore(
      path: FilePath(
        (scratch?.appending(path.lastComponent?.string ?? "tiles") ?? path).string + "-tiles"))
  }

  /// Adds a tile, which must be valid and have bytes.
  ///
  /// - Complexity: O(bytes).
  package func append(
    _ tile: TileCoord, _ bytes: UnsafeRawBufferPointer
  ) throws(ArchiveError) {
    guard tile.isValid, bytes.count > 0, index.count < Int32.max else {
      throw ArchiveError(.misuse(of: "PMTiles writer", given: "tile \(tile)"), path: path)
    }
    let digest = MD5Digest(of: bytes)
    let content: Int
    if let known = index.number(of: digest) {
      content = known
    } else {
      content = index.add(digest)
      contents.append(try store.store(bytes))
    }
    places.append(Place(tile: HilbertTile(tile).rawValue, content: UInt32(content)))
  }

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - header: the header without sections and counts, which are filled in.
  ///   - metadata: a JSON object.
  ///   - advance: called now and then with the number of contents written; may throw to stop.
  /// - Throws: ``ArchiveError``; also ``ArchiveError/Code/misuse`` without tiles or if one came
  ///   twice.
  /// - Complexity: O(n log n) for n tiles, and O(bytes).
  package func finish(
    _ header: PMTilesHeader, metadata: [UInt8], advance: (Int) throws -> Void = { _ in }
  ) throws -> PMTilesSummary {
    try store.flush()
    places.sort { $0.tile < $1.tile }
    let (entries, order, tileBytes) = try makeEntries()
    let directories = try Directories(entries, path: path)
    guard let metadata = metadata.withUnsafeBytes({ Gzip.compress($0) }) else {
      throw ArchiveError(.file(.noMemory), path: path)
    }
    var header = header
    var end = UInt64(PMTilesHeader.size)
    func place(_ count: Int) -> PMTilesHeader.Section {
      defer { end += UInt64(count) }
      return PMTilesHeader.Section(offset: end, length: UInt64(count))
    }
    header.root = place(directories.root.count)
    header.metadata = place(metadata.count)
    header.leaves = place(directories.leaves.count)
    header.tiles = place(Int(tileBytes))
    header.addressedTiles = UInt64(places.count)
    header.tileEntries = UInt64(entries.count)
    header.tileContents = UInt64(order.count)
    header.isClustered = true
    header.internalCompression = .gzip
    let file = try OutputFile(path)
    for part in [header.bytes, directories.root, metadata, directories.leaves] {
      try part.withUnsafeBytes { try file.write($0) }
    }
    for (done, content) in order.enumerated() {
      try file.write(contents[Int(content)])
      if done & 4095 == 4095 { try advance(done + 1) }
    }
    try file.close()
    return PMTilesSummary(
      tiles: places.count, entries: entries.count, contents: order.count,
      leaves: directories.leafCount, bytes: Int(end))
  }

  /// Returns the entries in order, the contents in the order of their first tiles, and the total of
  /// their bytes.
  private func makeEntries() throws(ArchiveError) -> (
    entries: [PMTilesEntry], order: ContiguousArray<UInt32>, bytes: UInt64
  ) {
    guard !places.isEmpty else {
      throw ArchiveError(.misuse(of: "PMTiles writer", given: "no tile"), path: path)
    }
    var offsets = ContiguousArray<UInt64?>(repeating: nil, count: contents.count)
    var order: ContiguousArray<UInt32> = []
    order.reserveCapacity(contents.count)
    var entries: [PMTilesEntry] = []
    var end: UInt64 = 0
    var last: Place?
    for place in places {
      defer { last = place }
      if let last {
        guard place.tile > last.tile else {
          throw ArchiveError(.misuse(of: "PMTiles writer", given: "a tile twice"), path: path)
        }
        if place.content == last.content, place.tile == last.tile + 1,
          entries[entries.count - 1].runLength < .max
        {
          entries[entries.count - 1].runLength += 1
          continue
        }
      }
      let length = contents[Int(place.content)].count
      let offset = offsets[Int(place.content)] ?? end
      if offsets[Int(place.content)] == nil {
        offsets[Int(place.content)] = end
        order.append(place.content)
        end += UInt64(length)
      }
      entries.append(
        PMTilesEntry(tile: place.tile, offset: offset, length: UInt32(length), runLength: 1))
    }
    return (entries, order, end)
  }
}

/// Directories of entries, compressed: a root that fits its limit, and leaves with equal numbers of
/// entries if one directory would be too large.
private struct Directories {
  /// Maximum number of entries for which a root without leaves is tried.
  private static let rootEntries = 16_384

  /// The initial number of entries of a leaf: about 16 kB, which a reader fetches for a tile.
  private static let leafEntries = 4096

  private(set) var root: [UInt8]
  private(set) var leaves: [UInt8] = []
  private(set) var leafCount = 0

  init(_ entries: [PMTilesEntry], path: FilePath) throws(ArchiveError) {
    let room = PMTilesHeader.rootLimit - PMTilesHeader.size
    if entries.count <= Self.rootEntries {
      root = try Self.compressed(entries[...], path)
      if root.count <= room { return }
    }
    var size = Self.leafEntries
    repeat {
      var heads: [PMTilesEntry] = []
      leaves = []
      for start in stride(from: 0, to: entries.count, by: size) {
        let leaf = try Self.compressed(entries[start..<min(start + size, entries.count)], path)
        heads.append(
          PMTilesEntry(
            tile: entries[start].tile, offset: UInt64(leaves.count), length: UInt32(leaf.count),
            runLength: 0))
        leaves += leaf
      }
      leafCount = heads.count
      root = try Self.compressed(heads[...], path)
      size *= 2
    } while root.count > room
  }

  private static func compressed(
    _ entries: ArraySlice<PMTilesEntry>, _ path: FilePath
  ) throws(ArchiveError) -> [UInt8] {
    let bytes = PMTilesDirectory.bytes(of: entries)
    guard let compressed = bytes.withUnsafeBytes({ Gzip.compress($0) }) else {
      throw ArchiveError(.file(.noMemory), path: path)
    }
    return compressed
  }
}

/// A new file that is written from front to back, a mebibyte at a time.
private final class OutputFile {
  private static let capacity = 1 << 20

  private let path: FilePath
  private let file: FileDescriptor
  private var isOpen = true
  private var buffer: [UInt8] = []

  init(_ path: FilePath) throws(ArchiveError) {
    self.path = path
    do {
      file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: DurableFile.publicPermissions)
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "create", path: path)
    }
    buffer.reserveCapacity(Self.capacity)
  }

  deinit {
    if isOpen { try? file.close() }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    if buffer.count + bytes.count > Self.capacity { try flush() }
    if bytes.count > Self.capacity {
      try attempt { try file.writeAll(bytes) }
    } else {
      buffer.append(contentsOf: bytes)
    }
  }

  func close() throws(ArchiveError) {
    try flush()
    isOpen = false
    try attempt {
      try file.close()
      return 0
    }
  }

  private func flush() throws(ArchiveError) {
    try attempt { try file.writeAll(buffer) }
    buffer.removeAll(keepingCapacity: true)
  }

  private func attempt(_ body: () throws -> Int) throws(ArchiveError) {
    do {
      _ = try body()
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "write", path: path)
    }
  }
}
