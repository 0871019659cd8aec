package import Features
package import Overlays
import Raster
import SpatialIndex
package import Tiling

/// The content of one raster layer in the tiles of one zoom, as columns in archive order.
///
/// A tile's pixels follow from its position, the image or source tiles under it, and the layer.
/// ``hashes`` contains all of these, so no two tiles of a zoom share a hash.
package struct RasterScenes: Sendable {
  package let source: RasterSource
  package let grid: PixelGrid

  package let layer: RasterLayer

  /// The raw ``TileKey`` of each tile in which the layer shows a pixel, ascending.
  package private(set) var tileKeys = Column<UInt64>()

  /// The hash of each tile's content.
  package private(set) var hashes = Column<StableHash>()

  /// The quadrants of each tile with a visible pixel: bit 0 NW, 1 NE, 2 SW, 3 SE.
  package private(set) var quadrants = Column<UInt8>()

  /// Creates the scenes of the tiles of a range in which the layer shows a pixel.
  ///
  /// - Complexity: O(tiles that the image may reach), and O(pixels) for each tile that cannot be
  ///   decided without its pixels; on as many threads as given.
  init(
    _ layer: RasterLayer, of source: RasterSource, grid: PixelGrid, range: TileRange, threads: Int,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(TileExcess) {
    self.layer = layer
    self.source = source
    self.grid = grid
    let search = RasterSearch(
      layer: layer, source: source, grid: grid, range: range, isStopped: isStopped)
    let common = layer.hash(of: source, grid: grid)
    for found in try search.tiles(threads: threads) {
      tileKeys.append(found.key)
      quadrants.append(found.quadrants)
      var hash = common
      hash.combine(grid.zoom)
      hash.combine(found.key)
      if let content = found.content { hash.combine(content) }
      hashes.append(hash)
    }
  }

  /// The number of tiles.
  package var count: Int { tileKeys.count }

  /// The kernel of the source, or else of the layer.
  package var kernel: ResamplingKernel { source.kernel ?? layer.kernel }
}

/// A search for the tiles in which an image shows a pixel.
struct RasterSearch {
  /// A tile with its visible quadrants.
  struct Found {
    /// The `TileKey`.
    let key: UInt64
    let quadrants: UInt8
    /// See ``RasterWarp/contentHash(of:)``.
    let content: StableHash?
  }

  let layer: RasterLayer
  let source: RasterSource
  let grid: PixelGrid
  let range: TileRange

  /// Whether the run should stop; the tiles that were not examined are then missing.
  let isStopped: @Sendable () -> Bool

  /// Returns the tiles in archive order.
  ///
  /// - Complexity: O(tiles that the image's box reaches), and O(pixels) of those that are drawn.
  func tiles(threads: Int) throws(TileExcess) -> [Found] {
    guard !layer.isInvisible else { return [] }
    let columns = columns
    let rows = rows
    try TileExcess.check(.image, zoom: grid.zoom, tiles: columns.count * rows.count)
    // About 5 µs for a tile that is decided without its pixels, and 0.2 ms for one that is drawn.
    let work = ChunkedWork(count: columns.count * rows.count, threads: threads, minimum: 16)
    var parts = [[Found]](repeating: [], count: work.chunks.count)
    parts.withUnsafeMutableBufferPointer { parts in
      nonisolated(unsafe) let parts = parts
      work.forEach { chunk, part in parts[chunk] = tiles(part, columns, rows) }
    }
    return parts.joined().sorted { $0.key < $1.key }
  }

  /// Returns the tiles of a part of the box, counted column by column and southernmost first.
  private func tiles(_ part: Range<Int>, _ columns: [Int], _ rows: [Int]) -> [Found] {
    let visibility = RasterVisibility(layer, of: source, grid: grid)
    var found: [Found] = []
    for index in part {
      if isStopped() { break }
      let tile = TileCoord(
        z: grid.zoom, x: columns[index / rows.count], y: rows[index % rows.count])
      guard let quadrants = visibility.quadrants(of: tile) else { continue }
      found.append(
        Found(
          key: TileKey(tile).rawValue, quadrants: quadrants,
          content: visibility.contentHash(of: tile)))
    }
    return found
  }

  /// The columns of tiles that the image's box reaches, ascending.
  private var columns: [Int] {
    let reached = source.extent(in: grid).tileColumns(zoom: grid.zoom)
    let across = grid.tilesAcross
    guard grid.shiftX > 0 else {
      return reached.joined().filter { range.contains(column: $0) }
    }
    // A shifted world reaches one column more.
    var columns = Set(reached.joined())
    for run in reached { columns.insert(run.upperBound % across) }
    return columns.filter { range.contains(column: $0) }.sorted()
  }

  /// The rows of tiles that the image's box reaches, southernmost first.
  private var rows: [Int] {
    var rows = source.extent(in: grid).tileRows(zoom: grid.zoom)
    if grid.shiftY > 0 { rows = rows.lowerBound..<min(rows.upperBound + 1, grid.tilesAcross) }
    return rows.filter { $0 >= range.firstRow && $0 <= range.lastRow }.reversed()
  }
}

/// A test for the quadrants of a tile in which a raster layer shows a pixel; one per worker, with
/// its scratch memory.
struct RasterVisibility {
  private let warp: any RasterWarp
  private let paint: RasterPaint

  /// The scratch picture for tiles that cannot be decided without their pixels.
  private let picture: Pixmap

  init(_ layer: RasterLayer, of source: RasterSource, grid: PixelGrid) {
    paint = layer.paint
    picture = Pixmap(width: grid.tilePixels, height: grid.tilePixels)
    warp = source.painter(kernel: source.kernel ?? layer.kernel, grid: grid)
  }

  /// Returns the quadrants of a tile that show a pixel of the image: bit 0 NW, 1 NE, 2 SW, 3 SE;
  /// `nil` if the tile shows nothing of it.
  ///
  /// The result is exact; the image is warped if a look at its geometry does not decide.
  func quadrants(of tile: TileCoord) -> UInt8? {
    guard let glance = warp.glance(at: tile, opacity: paint.opacity) else { return nil }
    if glance.unknown == 0 { return glance.shown == 0 ? nil : glance.shown }
    guard let box = warp.paint(tile, into: picture) else { return nil }
    // A faint colour may vanish when it is faded.
    if paint.opacity < 1 { paint.apply(to: picture, box: box) }
    let half = picture.width / 2
    var quadrants: UInt8 = 0
    for quadrant in 0..<4 {
      let columns = box.columns.clamped(
        to: quadrant & 1 == 0 ? 0..<half : half..<picture.width)
      let rows = box.rows.clamped(to: quadrant & 2 == 0 ? 0..<half : half..<picture.height)
      if shows(columns, rows) { quadrants |= UInt8(1 << quadrant) }
    }
    return quadrants == 0 ? nil : quadrants
  }

  func contentHash(of tile: TileCoord) -> StableHash? { warp.contentHash(of: tile) }

  private func shows(_ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
    rows.contains { y in
      let start = y * picture.width
      return columns.contains { picture.pixels[start + $0] != 0 }
    }
  }
}
