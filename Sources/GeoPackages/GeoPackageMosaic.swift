package import Features

/// The tiles of one zoom, assembled into one picture.
package struct GeoPackageMosaic: Sendable {
  /// A decoded tile: bytes in the order red, green, blue, alpha, rows from the north.
  package struct Picture: Sendable {
    package var width: Int
    package var height: Int
    package var pixels: [UInt8]

    package init(width: Int, height: Int, pixels: [UInt8]) {
      self.width = width
      self.height = height
      self.pixels = pixels
    }
  }

  /// The picture; transparent, four zeros, where a tile is missing. Alpha is as the decoder gives
  /// it.
  package fileprivate(set) var picture: Picture

  /// The box of the picture, to its outer edges.
  package let box: MercatorBox

  /// The number of tiles in the picture, and of places without one.
  package fileprivate(set) var tiles = 0
  package fileprivate(set) var missing = 0
}

extension GeoPackageTiles {
  /// Returns the smallest block around the existing tiles, `nil` if there are none.
  package func extent(
    zoom: Int, in block: GeoPackageTileBlock? = nil
  ) throws(SourceError) -> GeoPackageTileBlock? {
    Self.extent(try tiles(zoom: zoom, in: block))
  }

  private static func extent(_ tiles: [GeoPackageTile]) -> GeoPackageTileBlock? {
    guard let first = tiles.first, let last = tiles.last else { return nil }
    var columns = first.column...first.column
    for tile in tiles {
      columns = min(columns.lowerBound, tile.column)...max(columns.upperBound, tile.column)
    }
    return GeoPackageTileBlock(columns: columns, rows: first.row...last.row)
  }

  /// Assembles the tiles of a zoom, as far as a block reaches and tiles exist.
  ///
  /// - Parameters:
  ///   - pixelLimit: the maximum number of pixels; each takes four bytes.
  ///   - decode: decodes PNG or JPEG to pixels.
  /// - Returns: `nil` where there are no tiles.
  /// - Throws: ``SourceError`` `configuration` where the picture would be too large, `badData` for
  ///   a tile that is not a picture of the grid's size, and what `decode` throws, with the tile.
  /// - Complexity: O(pixels).
  package func mosaic(
    zoom: Int, in block: GeoPackageTileBlock? = nil, pixelLimit: Int = 1 << 25,
    decode: (_ bytes: [UInt8]) throws(SourceError) -> GeoPackageMosaic.Picture
  ) throws(SourceError) -> GeoPackageMosaic? {
    let matrix = try matrix(zoom: zoom)
    let tiles = try tiles(zoom: zoom, in: block)
    guard let extent = Self.extent(tiles) else { return nil }
    let width = extent.columns.count.multipliedReportingOverflow(by: matrix.tileWidth)
    let height = extent.rows.count.multipliedReportingOverflow(by: matrix.tileHeight)
    let pixels = width.partialValue.multipliedReportingOverflow(by: height.partialValue)
    guard !width.overflow, !height.overflow, !pixels.overflow, pixels.partialValue <= pixelLimit
    else {
      throw refusal(
        "zoom \(zoom) of '\(GeoPackageFile.singleLine(table))' has \(width.partialValue) × "
          + "\(height.partialValue) pixels there, and \(pixelLimit) are the limit. Set 'bounds:' or "
          + "a smaller zoom", .configuration)
    }
    var mosaic = GeoPackageMosaic(
      picture: GeoPackageMosaic.Picture(
        width: width.partialValue, height: height.partialValue,
        pixels: [UInt8](repeating: 0, count: 4 * pixels.partialValue)),
      box: matrix.box(columns: extent.columns, rows: extent.rows))
    var last: GeoPackageTile?
    var payload = 0
    for tile in tiles {
      // A place may occur twice where no constraint forbids it: the first counts.
      if let last, last.column == tile.column, last.row == tile.row { continue }
      last = tile
      let bytes = try picture(of: tile)
      payload += bytes.count
      guard payload <= payloadLimit else {
        throw refusal("the tiles of '\(GeoPackageFile.singleLine(table))' hold more than the file")
      }
      let picture: GeoPackageMosaic.Picture
      do throws(SourceError) {
        picture = try decode(bytes)
      } catch {
        throw refusal(
          "tile \(zoom)/\(tile.column)/\(tile.row) of '\(GeoPackageFile.singleLine(table))': "
            + error.message, error.code)
      }
      guard picture.width == matrix.tileWidth, picture.height == matrix.tileHeight,
        picture.pixels.count == 4 * picture.width * picture.height
      else {
        throw refusal(
          "tile \(zoom)/\(tile.column)/\(tile.row) of '\(GeoPackageFile.singleLine(table))' has "
            + "\(picture.width) × \(picture.height) pixels, not \(matrix.tileWidth) × "
            + "\(matrix.tileHeight)")
      }
      mosaic.put(
        picture, column: tile.column - extent.columns.lowerBound,
        row: tile.row - extent.rows.lowerBound)
    }
    mosaic.missing = extent.columns.count * extent.rows.count - mosaic.tiles
    return mosaic
  }
}

extension GeoPackageMosaic {
  /// Copies a tile to its place, row by row.
  fileprivate mutating func put(_ tile: Picture, column: Int, row: Int) {
    let bytes = 4 * tile.width
    let total = 4 * picture.width
    picture.pixels.withUnsafeMutableBytes { target in
      tile.pixels.withUnsafeBytes { source in
        for line in 0..<tile.height {
          let start = (row * tile.height + line) * total + column * bytes
          UnsafeMutableRawBufferPointer(rebasing: target[start..<(start + bytes)])
            .copyMemory(
              from: UnsafeRawBufferPointer(rebasing: source[(line * bytes)..<((line + 1) * bytes)]))
        }
      }
    }
    tiles += 1
  }
}
