import MBTiles
package import PMTiles
package import SystemPackage
package import Tiling

/// The bytes of a PMTiles file that is here, or of which parts are brought here first.
package protocol PMTilesBytes: AnyObject {
  /// The file in messages.
  var path: FilePath { get }

  /// Brings bytes here, each range by one request; ranges ascend and do not overlap.
  func bring(_ ranges: [Range<UInt64>]) throws

  /// Returns bytes that are here.
  func bytes(_ range: Range<UInt64>) throws -> [UInt8]
}

/// The copy of a box and some zooms of a PMTiles file, for which only directories on the way and the
/// tiles themselves are read.
package struct RegionExtract {
  /// The part that is copied.
  package struct Selection: Hashable, Sendable {
    package var bounds: GeoBounds
    package var zooms: ClosedRange<Int>

    /// The number of tiles around the box that are copied, too.
    package var margin = 0

    /// Maximum bytes of the tiles.
    package var maxBytes: Int

    /// Whether the copy says that it ends at the box, and not where the file does.
    package var narrowsBounds = true

    package init(
      bounds: GeoBounds, zooms: ClosedRange<Int> = 0...TileCoord.maxZoom, maxBytes: Int
    ) {
      (self.bounds, self.zooms, self.maxBytes) = (bounds, zooms, maxBytes)
    }

    /// The selection as cache and lock file name it.
    package var words: String {
      "bbox=\(bounds.west),\(bounds.south),\(bounds.east),\(bounds.north)&zooms=\(zooms.lowerBound)-"
        + "\(zooms.upperBound)&margin=\(margin)"
    }
  }

  /// The number of bytes at the beginning that hold the header and the root directory.
  package static let headBytes = PMTilesHeader.rootLimit

  /// The bytes that may be read without need, as a share of those that are needed: so many requests
  /// are saved. Of directories it is a number.
  private static let wasteShare: UInt64 = 8
  private static let leastWaste: UInt64 = 1 << 16

  /// Maximum number of needless bytes between two needed ones of a request.
  private static let gapLimit: UInt64 = 1 << 20

  /// Maximum number of tiles.
  private static let tileLimit = 1 << 24

  private let source: any PMTilesBytes
  private let selection: Selection
  private let header: PMTilesHeader

  /// The numbers of the selected tiles, ascending.
  private let wanted: [Range<UInt64>]

  /// Writes the copy to a new file.
  ///
  /// - Throws: ``ArchiveError``; also for a box without tiles, or with more bytes than allowed; and
  ///   what the source throws.
  /// - Complexity: O(tiles + bytes).
  package static func write(
    _ selection: Selection, of source: any PMTilesBytes, to path: FilePath,
    checkpoint: () throws -> Void = {}
  ) throws -> PMTilesSummary {
    do {
      return try RegionExtract(selection, of: source).write(to: path, checkpoint)
    } catch let fault as PMTilesFault {
      throw PMTilesReader.failure(fault, source.path)
    }
  }

  private init(_ selection: Selection, of source: any PMTilesBytes) throws {
    (self.selection, self.source) = (selection, source)
    let bytes = try source.bytes(0..<UInt64(PMTilesHeader.size))
    header = try bytes.withUnsafeBytes { try PMTilesHeader($0) }
    let last = min(Int(header.maxZoom), TileCoord.maxZoom, selection.zooms.upperBound)
    let zooms = Array(stride(from: selection.zooms.lowerBound, through: last, by: 1))
    let (box, margin) = (WorldBox(selection.bounds), selection.margin)
    wanted = zooms.flatMap { zoom in
      HilbertIntervals.of(TileRange(box, zoom: zoom).sourceTiles(zoom: zoom, margin: margin))
    }
  }

  private func write(to path: FilePath, _ checkpoint: () throws -> Void) throws -> PMTilesSummary {
    var metadata = Array("{}".utf8)
    if header.metadata.length > 0 {
      metadata = try PMTilesReader.unpacked(try read([header.metadata])[0], header)
    }
    let runs = try self.runs()
    guard let first = runs.first, let last = runs.last else {
      throw PMTilesFault("has no tiles in the box \(selection.bounds.text) and these zooms")
    }
    try bring(runs)
    let writer = try PMTilesWriter(path: path)
    for run in runs {
      try checkpoint()
      let bytes = try source.bytes(try Self.range(of: run, in: header.tiles, "tile"))
      for number in run.tile..<(run.tile + UInt64(run.runLength)) {
        guard let tile = HilbertTile(rawValue: number).tile else { continue }
        try bytes.withUnsafeBytes { try writer.append(tile, $0) }
      }
    }
    var header = header
    header.minZoom = HilbertTile(rawValue: first.tile).tile.map { UInt8($0.z) } ?? header.minZoom
    header.maxZoom = HilbertTile(rawValue: last.tile).tile.map { UInt8($0.z) } ?? header.maxZoom
    if selection.narrowsBounds { narrow(&header) }
    return try writer.finish(header, metadata: metadata) { _ in try checkpoint() }
  }

  private func narrow(_ header: inout PMTilesHeader) {
    let own = header.bounds.map { Double($0) / 1e7 }
    var box = selection.bounds
    if box.crossesAntimeridian { (box.west, box.east) = (-180, 180) }
    if own[0] < own[2], own[1] < own[3] { box = box.part(within: own) }
    header.bounds = [box.west, box.south, box.east, box.north].map(PMTilesHeader.units)
    header.center = [(box.west + box.east) / 2, (box.south + box.north) / 2]
      .map(PMTilesHeader.units)
    header.centerZoom = min(max(header.centerZoom, header.minZoom), header.maxZoom)
  }

  // MARK: Directories

  /// Returns the entries of the selected tiles, cut to these, ascending.
  private func runs() throws -> [PMTilesEntry] {
    var runs: [PMTilesEntry] = []
    var count: UInt64 = 0
    var level = [(entries: try directory(try read([header.root])[0]), end: UInt64.max)]
    for depth in 0... {
      var leaves: [(entry: PMTilesEntry, end: UInt64)] = []
      for (entries, end) in level {
        for (index, entry) in entries.enumerated() {
          let next = index + 1 < entries.count ? entries[index + 1].tile : end
          guard entry.tile < next else {
            throw PMTilesFault("has directories whose tiles are out of order at tile \(entry.tile)")
          }
          let length = entry.runLength == 0 ? next - entry.tile : UInt64(entry.runLength)
          guard length <= next - entry.tile else {
            throw PMTilesFault("has a run of tiles beyond its directory at tile \(entry.tile)")
          }
          for part in parts(of: entry.tile..<entry.tile + length) {
            if entry.runLength == 0 {
              leaves.append((entry, next))
              break
            }
            var run = entry
            (run.tile, run.runLength) = (part.lowerBound, UInt32(clamping: part.count))
            runs.append(run)
            count += UInt64(part.count)
          }
        }
      }
      guard count <= UInt64(Self.tileLimit) else {
        throw PMTilesFault(
          "has more than \(Self.tileLimit) tiles there. Choose a smaller box, or fewer zooms")
      }
      guard !leaves.isEmpty else { break }
      guard depth < PMTilesReader.depthLimit else {
        throw PMTilesFault(
          "has more than \(PMTilesReader.depthLimit) directories below one another")
      }
      let sections = try leaves.map {
        try PMTilesReader.section($0.entry, in: header.leaves, "leaf")
      }
      level = try zip(leaves, try read(sections)).map { leaf, bytes in
        let entries = try directory(bytes)
        guard entries.first?.tile == leaf.entry.tile else {
          throw PMTilesFault("has a directory that does not begin with tile \(leaf.entry.tile)")
        }
        return (entries, leaf.end)
      }
    }
    return runs.sorted { $0.tile < $1.tile }
  }

  /// Returns the parts of a run that are selected.
  private func parts(of run: Range<UInt64>) -> [Range<UInt64>] {
    var (low, high) = (0, wanted.count)
    while low < high {
      let middle = (low + high) / 2
      if wanted[middle].upperBound <= run.lowerBound { low = middle + 1 } else { high = middle }
    }
    return wanted[low...].prefix { $0.lowerBound < run.upperBound }.map { $0.clamped(to: run) }
  }

  private func directory(_ bytes: [UInt8]) throws -> [PMTilesEntry] {
    try PMTilesDirectory.entries(try PMTilesReader.unpacked(bytes, header))
  }

  // MARK: Bytes

  /// Returns the bytes of sections of the file, brought here together.
  private func read(_ sections: [PMTilesHeader.Section]) throws -> [[UInt8]] {
    let ranges = try sections.map { section in
      guard section.length <= UInt64(PMTilesReader.directoryLimit) else {
        throw PMTilesFault("has a directory or metadata of \(section.length) bytes")
      }
      return try Self.range(of: section)
    }
    try source.bring(Self.joined(ranges, waste: Self.leastWaste))
    return try ranges.map { try source.bytes($0) }
  }

  /// Brings the contents of runs here.
  private func bring(_ runs: [PMTilesEntry]) throws {
    var seen: Set<UInt64> = []
    let ranges = try runs.filter { seen.insert($0.offset).inserted }
      .map { try Self.range(of: $0, in: header.tiles, "tile") }
    let total = ranges.reduce(0) { $0 + UInt64($1.count) }
    guard total <= UInt64(selection.maxBytes) else {
      throw PMTilesFault(
        "has \(total) bytes of tiles in the box, and at most \(selection.maxBytes) are allowed. Choose "
          + "a smaller box or fewer zooms, or allow more bytes")
    }
    try source.bring(Self.joined(ranges, waste: total / Self.wasteShare))
  }

  private static func range(
    of entry: PMTilesEntry, in section: PMTilesHeader.Section, _ what: String
  ) throws(PMTilesFault) -> Range<UInt64> {
    try range(of: try PMTilesReader.section(entry, in: section, what))
  }

  private static func range(
    of section: PMTilesHeader.Section
  ) throws(PMTilesFault) -> Range<UInt64> {
    let (end, isOver) = section.offset.addingReportingOverflow(section.length)
    guard !isOver, end < UInt64(Int64.max) else {
      throw PMTilesFault("has a section that ends beyond 63 bits")
    }
    return section.offset..<end
  }

  /// Returns the fewest ranges that hold the given ones without more than `waste` needless bytes,
  /// ascending: the smallest gaps are closed first.
  ///
  /// - Complexity: O(n log n).
  static func joined(_ ranges: [Range<UInt64>], waste: UInt64) -> [Range<UInt64>] {
    var sorted: [Range<UInt64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = sorted.last, range.lowerBound <= last.upperBound {
        sorted[sorted.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        sorted.append(range)
      }
    }
    func gap(_ index: Int) -> UInt64 { sorted[index].lowerBound - sorted[index - 1].upperBound }
    var closed: Set<Int> = []
    var rest = waste
    for index in sorted.indices.dropFirst().sorted(by: { (gap($0), $0) < (gap($1), $1) }) {
      guard gap(index) <= min(rest, gapLimit) else { break }
      rest -= gap(index)
      closed.insert(index)
    }
    var joined: [Range<UInt64>] = []
    for (index, range) in sorted.enumerated() {
      if closed.contains(index) {
        joined[joined.count - 1] = joined[joined.count - 1].lowerBound..<range.upperBound
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}

extension GeoBounds {
  /// The box as `--bbox` takes it.
  fileprivate var text: String { "\(west),\(south),\(east),\(north)" }

  /// Returns the part of the box within another one, west, south, east and north; the whole if they
  /// do not meet.
  fileprivate func part(within other: [Double]) -> GeoBounds {
    let part = GeoBounds(
      west: max(west, other[0]), south: max(south, other[1]), east: min(east, other[2]),
      north: min(north, other[3]))
    return part.west < part.east && part.south < part.north ? part : self
  }
}
