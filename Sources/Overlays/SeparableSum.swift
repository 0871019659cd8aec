extension OverlayImage {
  /// Fills a tile from the image, where its columns and rows are parallel to those of the map.
  ///
  /// - Parameters:
  ///   - columns: the image's columns for each column of the tile.
  ///   - rows: the image's rows for each row of the tile.
  ///   - light: rows of the tile's width.
  ///   - pixels: the pixels of the tile; those that the image does not reach stay as they are.
  func warp(
    by kernel: ResamplingKernel, columns: AxisTable, rows: AxisTable, light: LightRows,
    into pixels: UnsafeMutableBufferPointer<UInt32>
  ) {
    if kernel.isLinear {
      withReader(
        SeparableSum(
          image: self, columns: columns, rows: rows, hasLobes: kernel.hasLobes, light: light,
          pixels: pixels))
    } else {
      withReader(
        SeparableChoice(
          image: self, kernel: kernel, columns: columns, rows: rows, width: light.width,
          pixels: pixels))
    }
  }
}

/// A task that fills a tile with a linear kernel where columns and rows of the image are parallel
/// to those of the map: each row of the image is resampled to the tile's columns once, then rows
/// are summed.
///
/// - Complexity: O(rows of the image · taps of a row + pixels · taps of a column).
struct SeparableSum: TexelTask {
  let image: OverlayImage
  let columns: AxisTable
  let rows: AxisTable
  let hasLobes: Bool
  let light: LightRows
  let pixels: UnsafeMutableBufferPointer<UInt32>

  func run(_ reader: some TexelReader) {
    let width = light.width
    light.begin(rows: rows.maxCount)
    for y in rows.reached {
      let tap = rows.taps[y]
      let target = UnsafeMutableBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])
      if tap.count == 2 {
        blend(tap, reader, into: target)
        continue
      }
      var isBlank = true
      for step in 0..<Int(tap.count) {
        guard let source = row(Int(tap.first) + step, reader) else { continue }
        add(source, weight: rows.weights[Int(tap.offset) + step], isFirst: isBlank)
        isBlank = false
      }
      if isBlank { continue }
      for x in columns.reached { target[x] = reader.color(ofSum: light.sum[x], hasLobes: hasLobes) }
    }
  }

  /// Fills a row of the tile from two of the image, the usual case when a tent enlarges.
  @inline(__always)
  private func blend(
    _ tap: AxisTaps, _ reader: some TexelReader, into target: UnsafeMutableBufferPointer<UInt32>
  ) {
    let upper = row(Int(tap.first), reader)
    let lower = row(Int(tap.first) + 1, reader)
    let (above, below) = (rows.weights[Int(tap.offset)], rows.weights[Int(tap.offset) + 1])
    if let upper, let lower {
      for x in columns.reached {
        target[x] = reader.color(
          ofSum: upper[x] * above + lower[x] * below, hasLobes: hasLobes)
      }
    } else if let source = upper ?? lower {
      let weight = upper == nil ? below : above
      for x in columns.reached {
        target[x] = reader.color(ofSum: source[x] * weight, hasLobes: hasLobes)
      }
    }
  }

  /// Returns a row of the image, resampled; `nil` if it is blank.
  @inline(__always)
  private func row(
    _ index: Int, _ reader: some TexelReader
  ) -> UnsafeMutableBufferPointer<SIMD4<Float>>? {
    light.row(index) { resample(index, reader, into: $0) }
  }

  /// Adds a row to the sum, or begins the sum with it.
  @inline(__always)
  private func add(
    _ source: UnsafeMutableBufferPointer<SIMD4<Float>>, weight: Float, isFirst: Bool
  ) {
    let sum = light.sum
    if isFirst {
      for x in columns.reached { sum[x] = source[x] * weight }
    } else {
      for x in columns.reached { sum[x] = sum[x] + source[x] * weight }
    }
  }

  /// Resamples one row of the image to the tile's columns; returns `false` if it is blank.
  @inline(__always)
  private func resample(
    _ sourceRow: Int, _ reader: some TexelReader,
    into row: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) -> Bool {
    if image.occupancy.isBlank(x: columns.sources, y: sourceRow..<sourceRow + 1) { return false }
    let width = image.width
    let start = sourceRow &* width
    columns.taps.withUnsafeBufferPointer { taps in
      columns.weights.withUnsafeBufferPointer { weights in
        for x in columns.reached {
          let tap = taps[x]
          let count = Int(tap.count)
          let offset = Int(tap.offset)
          var index = Int(tap.first)
          var sum = SIMD4<Float>.zero
          for step in 0..<count {
            // A run of taps only passes the last pixel where the image spans the world.
            if index >= width { index &-= width }
            sum += reader.light(start &+ index) * weights[offset &+ step]
            index &+= 1
          }
          row[x] = sum
        }
      }
    }
    reader.didRead(columns.sources.count)
    return true
  }
}
