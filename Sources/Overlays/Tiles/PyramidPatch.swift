import Features
import Raster
import Tiling

/// The part of a pyramid that one tile of the map needs: some tiles of one zoom, with the pixels
/// of them from which each pixel of the map's tile is computed.
///
/// Pixels are counted from the patch's north-west corner. The core is the tiles under the map's
/// tile itself; the fringe around it is the tiles that only the kernel reaches.
struct PyramidPatch {
  /// One position of the patch.
  struct Place {
    /// The column and row at the patch's zoom; columns go on beyond the antimeridian.
    let column: Int
    let row: Int

    /// The tile that is shown there, which may be an ancestor; `nil` for none.
    let shown: (tile: TileCoord, facts: TilePyramid.Facts)?
  }

  let zoom: Int

  /// The side of a tile in pixels; pictures of another size are fitted.
  let side: Int

  /// The tiles under the map's tile itself.
  let coreColumns: Range<Int>
  let coreRows: Range<Int>

  /// The first pixel of the patch, counted from the world's corner.
  let firstColumn: Int
  let firstRow: Int

  let columns: AxisTable
  let rows: AxisTable

  /// The positions that pixels come from, row by row.
  let places: [Place]

  /// Width and height in pixels.
  private let width: Int
  private let height: Int

  init(
    zoom: Int, side: Int, core: (columns: Range<Int>, rows: Range<Int>), margin: Int,
    columns: AxisTable, rows: AxisTable, _ pyramid: TilePyramid
  ) {
    self.zoom = zoom
    self.side = side
    (coreColumns, coreRows) = core
    firstColumn = core.columns.lowerBound * side - margin
    firstRow = core.rows.lowerBound * side - margin
    width = core.columns.count * side + 2 * margin
    height = core.rows.count * side + 2 * margin
    self.columns = columns
    self.rows = rows
    let across = Self.tiles(of: columns.sources, first: firstColumn, side: side)
    let down = Self.tiles(of: rows.sources, first: firstRow, side: side)
    let world = 1 << zoom
    places = down.flatMap { row in
      across.map { column in
        let tile = TileCoord(z: zoom, x: ((column % world) + world) % world, y: row)
        return Place(column: column, row: row, shown: tile.isValid ? pyramid.shown(tile) : nil)
      }
    }
  }

  private static func tiles(of pixels: Range<Int>, first: Int, side: Int) -> Range<Int> {
    guard !pixels.isEmpty else { return 0..<0 }
    func tile(_ pixel: Int) -> Int { (Double(first + pixel) / Double(side)).roundedDown }
    return tile(pixels.lowerBound)..<tile(pixels.upperBound - 1) + 1
  }

  /// The hash of the tiles, their places and the size to which they are fitted.
  var hash: StableHash {
    var hash = StableHash()
    for number in [zoom, side, places.count] { hash.combine(number) }
    for place in places {
      hash.combine(place.column)
      hash.combine(place.row)
      hash.combine(place.shown.map { $0.tile.z + 1 } ?? 0)
      if let facts = place.shown?.facts { hash.combine(facts.hash) }
    }
    return hash
  }

  /// Whether every place is fully opaque.
  var isOpaque: Bool { places.allSatisfy { $0.shown?.facts.coverage == .opaque } }

  /// Whether every place is fully transparent.
  var isBlank: Bool { places.allSatisfy { ($0.shown?.facts.coverage ?? .blank) == .blank } }

  // MARK: Pixels

  /// Returns the pixels as one picture.
  ///
  /// - Complexity: O(pixels).
  func picture(of pyramid: TilePyramid, by kernel: ResamplingKernel) -> OverlayImage {
    var pixels = ContiguousArray<UInt32>(repeating: 0, count: width * height)
    pixels.withUnsafeMutableBufferPointer { pixels in
      for place in places {
        guard let tile = place.shown?.tile, place.shown?.facts.coverage != .blank,
          let picture = pyramid.picture(of: tile)
        else { continue }
        let fitted = fitted(picture, of: tile, to: place, by: kernel)
        fitted.withReader(copy(to: place, into: pixels))
      }
      // Beyond the rim of the data its last pixels are repeated, so that the picture neither fades
      // nor ends early.
      for place in places where place.shown == nil && !isInCore(place) {
        extend(place, in: pixels)
      }
    }
    return OverlayImage(width: width, height: height, texels: .rgba(pixels))
  }

  private func isInCore(_ place: Place) -> Bool {
    coreColumns.contains(place.column) && coreRows.contains(place.row)
  }

  /// Returns the pixels of a place that are needed, counted from the patch's corner.
  private func box(of place: Place) -> (columns: Range<Int>, rows: Range<Int>) {
    let left = place.column * side - firstColumn
    let top = place.row * side - firstRow
    return (
      (left..<left + side).clamped(to: columns.sources),
      (top..<top + side).clamped(to: rows.sources)
    )
  }

  private func copy(
    to place: Place, into pixels: UnsafeMutableBufferPointer<UInt32>
  ) -> CopyTask {
    let box = box(of: place)
    return CopyTask(
      columns: box.columns, rows: box.rows, left: place.column * side - firstColumn,
      top: place.row * side - firstRow, side: side, width: width, pixels: pixels)
  }

  /// Fills a place of the fringe with the nearest pixels of the core.
  private func extend(_ place: Place, in pixels: UnsafeMutableBufferPointer<UInt32>) {
    let left = coreColumns.lowerBound * side - firstColumn
    let top = coreRows.lowerBound * side - firstRow
    let (right, bottom) = (
      left + coreColumns.count * side - 1, top + coreRows.count * side - 1
    )
    let box = box(of: place)
    for y in box.rows {
      let source = min(max(y, top), bottom) * width
      for x in box.columns { pixels[y * width + x] = pixels[source + min(max(x, left), right)] }
    }
  }

  /// Returns a picture with the side of the patch's tiles: the part of an ancestor's picture under
  /// a position, or the picture itself.
  private func fitted(
    _ picture: OverlayImage, of tile: TileCoord, to place: Place, by kernel: ResamplingKernel
  ) -> OverlayImage {
    let levels = zoom - tile.z
    if levels == 0, picture.width == side, picture.height == side { return picture }
    let parts = Double(1 << levels)
    func table(_ size: Int, _ index: Int) -> AxisTable {
      var table = AxisTable(kernel: kernel, size: size, isPeriodic: false)
      let first = Double(index & (1 << levels - 1))
      table.fill(first: 0, count: side, total: side, shift: 0, turns: 0...0) {
        ($0 + first) / parts
      }
      return table
    }
    var pixels = ContiguousArray<UInt32>(repeating: 0, count: side * side)
    pixels.withUnsafeMutableBufferPointer {
      picture.warp(
        by: kernel, columns: table(picture.width, place.column),
        rows: table(picture.height, place.row), light: LightRows(width: side), into: $0)
    }
    return OverlayImage(width: side, height: side, texels: .rgba(pixels))
  }
}

/// A task that copies a part of a square picture into a larger one.
private struct CopyTask: TexelTask {
  /// The pixels of the target.
  let columns: Range<Int>
  let rows: Range<Int>

  /// The place of the picture's corner in the target.
  let left: Int
  let top: Int

  /// The side of the picture, and the width of the target.
  let side: Int
  let width: Int
  let pixels: UnsafeMutableBufferPointer<UInt32>

  func run(_ reader: some TexelReader) {
    for y in rows {
      let source = (y &- top) &* side &- left
      let target = y &* width
      for x in columns {
        pixels[target &+ x] = reader.color(of: reader.sample(source &+ x))
      }
    }
  }
}

extension Double {
  fileprivate var roundedDown: Int { Int(rounded(.down)) }
}
