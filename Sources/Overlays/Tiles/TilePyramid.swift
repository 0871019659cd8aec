import Failures
import Features
import Platform
import Synchronization
package import Tiling

/// The pictures of a tileset: one picture of the world at each zoom, in tiles.
///
/// Tiles are read and decoded on demand. A bounded number of them is kept for all threads
/// together, whatever the size of the tileset.
package final class TilePyramid: Sendable {
  /// The place of the tiles in the world, and the meaning of their pixels.
  package struct Form: Hashable, Sendable {
    /// The zooms with tiles.
    package var zooms: ClosedRange<Int>

    /// The side of a tile in style pixels.
    package var tileSize: Int

    /// The box of the tiles.
    package var extent: ImageExtent

    /// The box outside of which no tile is read; `nil` for none.
    package var limit: WorldBox?

    /// The colours or samples that become transparent.
    package var nodata: [NoData]

    package init(
      zooms: ClosedRange<Int>, tileSize: Int, extent: ImageExtent, limit: WorldBox? = nil,
      nodata: [NoData] = []
    ) {
      self.zooms = zooms
      self.tileSize = tileSize
      self.extent = extent
      self.limit = limit
      self.nodata = nodata
    }

    /// Width and height in pixels of the last zoom.
    package var size: ImageSize {
      let world = Double(tileSize << zooms.upperBound)
      return ImageSize(
        width: max(Int(((extent.east - extent.west) * world).rounded()), 1),
        height: max(Int(((extent.south - extent.north) * world).rounded()), 1))
    }

    /// Returns the first zoom of a map whose tiles have at least the pixels of the last zoom.
    ///
    /// - Parameter tilePixels: the side of a tile of the map in device pixels.
    package func finestZoom(tilePixels: Int) -> Int {
      let world = tileSize << zooms.upperBound
      return (0...TileCoord.maxZoom).first { tilePixels << $0 >= world } ?? TileCoord.maxZoom
    }
  }

  /// The facts about a tile's picture that are known once it was decoded.
  struct Facts: Sendable {
    /// The hash of the bytes as they are stored.
    let hash: StableHash

    /// The longer side in pixels.
    let side: Int

    let coverage: Coverage
  }

  /// The degree to which the pixels of a picture hide the map below.
  enum Coverage: Sendable {
    /// Every pixel is opaque.
    case opaque
    case mixed
    /// Every pixel is transparent.
    case blank
  }

  /// The greatest side of a tile's picture in pixels.
  package static let maxSide = 2048

  /// The bytes of decoded pictures that are kept: 256 of 256 px.
  private static let pictureRoom = 64 << 20

  /// The number of tiles of which facts are kept.
  private static let factsRoom = 1 << 18

  /// The greatest number of damaged tiles that are counted.
  private static let faultLimit = 1 << 20

  package let form: Form

  /// The number of damaged tiles that are tolerated.
  package let tolerance: Int

  /// The name of the tileset in messages.
  private let name: String

  /// Returns the bytes of a tile to be decoded; `nil` if there is no tile.
  private let read: @Sendable (TileCoord) throws -> [UInt8]?

  private let decoder: ImageDecoder

  /// The tiles that ``Form/limit`` holds, by zoom.
  private let ranges: [TileRange]

  fileprivate struct Memory {
    var facts = RecentValues<TileCoord, Facts?>(room: TilePyramid.factsRoom)
    var pictures = RecentValues<TileCoord, OverlayImage>(room: TilePyramid.pictureRoom)

    /// The tiles that could not be read.
    var faults: Set<TileCoord> = []

    /// The first of these tiles in archive order, and the reason.
    var firstFault: (tile: TileCoord, reason: String)?
  }

  private let memory = Mutex(Memory())

  /// - Parameters:
  ///   - name: the name in messages.
  ///   - tolerance: the number of damaged tiles that are tolerated.
  ///   - read: returns the bytes of a tile; called by any thread.
  package init(
    _ form: Form, named name: String, tolerance: Int,
    read: @escaping @Sendable (TileCoord) throws -> [UInt8]?
  ) {
    self.form = form
    self.name = name
    self.tolerance = tolerance
    self.read = read
    var decoder = ImageDecoder(nodata: form.nodata)
    decoder.noDataCheck = .none
    decoder.limits.maxSide = Self.maxSide
    decoder.limits.maxPixels = Self.maxSide * Self.maxSide
    decoder.limits.maxFileBytes = 64 << 20
    decoder.limits.maxDecodedBytes = 64 << 20
    decoder.limits.maxScratchBytes = 64 << 20
    self.decoder = decoder
    ranges =
      form.limit.map { limit in (0...TileCoord.maxZoom).map { TileRange(limit, zoom: $0) } } ?? []
  }

  /// Returns the zoom of the tiles that show a world of some width: the zoom whose pixels are
  /// nearest in size, as in MapLibre, or the deepest zoom; `nil` if the world is narrower than at
  /// the first zoom.
  package func sourceZoom(worldSide: Double) -> Int? {
    // A millionth of a zoom is a rounding error of fractional zooms.
    let zoom = Int((log2(worldSide / Double(form.tileSize)) + 0.500_001).rounded(.down))
    return zoom < form.zooms.lowerBound ? nil : min(zoom, form.zooms.upperBound)
  }

  // MARK: Tiles

  /// Returns the tile that is shown at a tile's position: the tile itself, or its nearest ancestor
  /// that exists; `nil` if there is none.
  func shown(_ tile: TileCoord) -> (tile: TileCoord, facts: Facts)? {
    var above: TileCoord? = tile
    while let tile = above, tile.z >= form.zooms.lowerBound {
      if !ranges.isEmpty, !ranges[tile.z].contains(tile) { return nil }
      if let facts = facts(of: tile) { return (tile, facts) }
      above = tile.parent
    }
    return nil
  }

  /// Returns the facts about a tile; `nil` if there is no tile, or if it is damaged.
  private func facts(of tile: TileCoord) -> Facts? {
    let known = memory.withLock { $0.facts.value(of: tile) { _ in 1 } }
    if let known { return known }
    let found = load(tile)?.facts
    memory.withLock { $0.facts.insert(found, for: tile, cost: 1) }
    return found
  }

  /// Returns the picture of a tile.
  func picture(of tile: TileCoord) -> OverlayImage? {
    let known = memory.withLock { $0.pictures.value(of: tile) { $0.byteCount } }
    return known ?? load(tile)?.picture
  }

  /// Reads and decodes a tile, and keeps its picture; counts it if it is damaged.
  private func load(_ tile: TileCoord) -> (facts: Facts, picture: OverlayImage)? {
    do {
      guard let bytes = try read(tile) else { return nil }
      let picture = try decoder.decode(bytes)
      var hash = StableHash()
      bytes.withUnsafeBytes { hash.combine($0) }
      let facts = Facts(
        hash: hash, side: max(picture.width, picture.height), coverage: picture.coverage)
      memory.withLock { $0.pictures.insert(picture, for: tile, cost: picture.byteCount) }
      return (facts, picture)
    } catch {
      let reason = (error as? any Failure)?.sentence ?? "\(error)"
      memory.withLock { $0.count(tile, reason) }
      return nil
    }
  }

  // MARK: Damaged tiles

  /// The number of tiles so far that could not be read.
  package var faultCount: Int { memory.withLock { $0.faults.count } }

  /// The damaged tiles so far, as a sentence without its end; `nil` if there are none.
  package var faultNote: String? {
    memory.withLock { memory -> String? in
      guard let first = memory.firstFault else { return nil }
      let count = memory.faults.count
      return "\(count == 1 ? "a tile" : "\(count) tiles") of \(name) cannot be read, "
        + "\(count == 1 ? "" : "the first is ")"
        + "\(first.tile.z)/\(first.tile.x)/\(first.tile.y): \(first.reason)"
    }
  }

  /// - Throws: ``OverlayError`` if more tiles were damaged so far than are tolerated.
  package func requireFewFaults() throws(OverlayError) {
    guard faultCount > tolerance, let note = faultNote else { return }
    throw OverlayError(
      .corrupt,
      "\(note) Replace it, or set 'onError: {max: \(max(faultCount, 1))}' in the source to draw what "
        + "is above."
    )
  }
}

extension TilePyramid.Memory {
  fileprivate mutating func count(_ tile: TileCoord, _ reason: String) {
    guard faults.count < TilePyramid.faultLimit else { return }
    faults.insert(tile)
    // The result must not depend on which thread comes first.
    if let first = firstFault?.tile, (first.z, first.x, first.y) <= (tile.z, tile.x, tile.y) {
      return
    }
    firstFault = (tile, reason.withoutControls)
  }
}

extension OverlayImage {
  /// The degree to which the pixels hide the map below.
  ///
  /// - Complexity: O(pixels).
  fileprivate var coverage: TilePyramid.Coverage {
    if case .rgb = texels { return .opaque }
    return withReader(CoverageTask(count: width * height))
  }

  private struct CoverageTask: TexelTask {
    let count: Int

    func run(_ reader: some TexelReader) -> TilePyramid.Coverage {
      var (least, most) = (UInt32(255), UInt32(0))
      for index in 0..<count {
        let alpha = reader.color(of: reader.sample(index)) >> 24
        (least, most) = (min(least, alpha), max(most, alpha))
        if least < 255, most > 0 { return .mixed }
      }
      return most == 0 ? .blank : .opaque
    }
  }
}
