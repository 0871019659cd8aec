package import Features
package import Tiling

/// The selected zoom of a table of tiles, and the selected part of its grid.
package struct GeoPackageTileChoice: Hashable, Sendable {
  package var zoom: Int

  /// The block around the existing tiles.
  package var block: GeoPackageTileBlock
}

extension GeoPackageTiles {
  /// Chooses what to read: the requested zoom, otherwise the deepest whose picture is small enough.
  ///
  /// - Parameters:
  ///   - zoom: the only acceptable zoom.
  ///   - bounds: only tiles that reach into them count.
  ///   - pixelLimit: the maximum number of pixels of the picture.
  ///   - sideLimit: the maximum width and height in pixels.
  /// - Throws: ``SourceError`` `configuration` where the picture would be too large, with the zoom
  ///   that would fit, where there are no tiles, and where the bounds cross the antimeridian.
  /// - Complexity: O(tiles · log) for each zoom that is tried.
  package func choice(
    zoom: Int? = nil, in bounds: GeoBounds? = nil, pixelLimit: Int = 1 << 25,
    sideLimit: Int = 1 << 16
  ) throws(SourceError) -> GeoPackageTileChoice {
    let spelled = GeoPackageFile.singleLine(table)
    if bounds?.crossesAntimeridian == true {
      throw refusal(
        "the tiles of '\(spelled)' make no picture over the antimeridian. Take one source for each "
          + "side", .configuration)
    }
    let tried = try zoom.map { zoom throws(SourceError) in [try matrix(zoom: zoom)] }
    var tooLarge: String?
    // If a zoom occurs twice the first counts, as in ``matrix(zoom:)``.
    var seen: Set<Int> = []
    for matrix in tried ?? matrices.reversed() where seen.insert(matrix.zoom).inserted {
      guard let block = try extent(of: matrix, in: bounds) else { continue }
      let width = block.columns.count.multipliedReportingOverflow(by: matrix.tileWidth)
      let height = block.rows.count.multipliedReportingOverflow(by: matrix.tileHeight)
      let pixels = width.partialValue.multipliedReportingOverflow(by: height.partialValue)
      let fits =
        !width.overflow && !height.overflow && !pixels.overflow && pixels.partialValue <= pixelLimit
        && width.partialValue <= sideLimit && height.partialValue <= sideLimit
      if fits { return GeoPackageTileChoice(zoom: matrix.zoom, block: block) }
      tooLarge =
        "zoom \(matrix.zoom) of '\(spelled)' has \(width.partialValue) × \(height.partialValue) "
        + "pixels there; the limits are \(pixelLimit) in all and \(sideLimit) a side."
    }
    guard let tooLarge else {
      throw refusal(
        "'\(spelled)' has no tiles" + (zoom.map { " of zoom \($0)" } ?? "")
          + (bounds == nil ? "" : " in 'bounds:'"), .configuration)
    }
    guard zoom != nil,
      let other = try? choice(in: bounds, pixelLimit: pixelLimit, sideLimit: sideLimit)
    else { throw refusal("\(tooLarge) Set smaller 'bounds:'", .configuration) }
    throw refusal(
      "\(tooLarge) Set 'zoom: \(other.zoom)', the deepest that fits, or smaller 'bounds:'",
      .configuration)
  }

  /// Returns the smallest block around the tiles of a zoom that reach into bounds.
  private func extent(
    of matrix: GeoPackageTileMatrix, in bounds: GeoBounds?
  ) throws(SourceError) -> GeoPackageTileBlock? {
    guard let bounds else { return try extent(zoom: matrix.zoom) }
    guard let block = matrix.blocks(in: bounds).first else { return nil }
    return try extent(zoom: matrix.zoom, in: block)
  }
}
