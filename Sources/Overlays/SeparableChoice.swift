/// A task that fills a tile with a choosing kernel, where columns and rows of the image are
/// parallel to those of the map.
struct SeparableChoice: TexelTask {
  let image: OverlayImage
  let kernel: ResamplingKernel
  let columns: AxisTable
  let rows: AxisTable
  let width: Int
  let pixels: UnsafeMutableBufferPointer<UInt32>

  func run(_ reader: some TexelReader) {
    var chooser = SampleChooser(kernel: kernel)
    for y in rows.reached {
      let row = rows.taps[y]
      let down = Int(row.first)..<Int(row.first) + Int(row.count)
      if image.occupancy.isBlank(x: columns.sources, y: down) { continue }
      defer { reader.didRead(columns.sources.count * Int(row.count)) }
      let target = UnsafeMutableBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])
      if kernel == .nearest {
        copyNearest(reader, sourceRow: Int(row.first), into: target)
        continue
      }
      for x in columns.reached {
        target[x] = choose(reader, &chooser, column: columns.taps[x], row: row)
      }
    }
  }

  private func copyNearest(
    _ reader: some TexelReader, sourceRow: Int, into target: UnsafeMutableBufferPointer<UInt32>
  ) {
    let start = sourceRow &* image.width
    columns.taps.withUnsafeBufferPointer { taps in
      for x in columns.reached where taps[x].count > 0 {
        target[x] = reader.color(of: reader.sample(start &+ Int(taps[x].first)))
      }
    }
  }

  /// - Complexity: O(pixels of the image under the pixel of the tile).
  private func choose<Reader: TexelReader>(
    _ reader: Reader, _ chooser: inout SampleChooser, column: AxisTaps, row: AxisTaps
  ) -> UInt32 {
    guard column.count > 0, row.count > 0 else { return 0 }
    // Most pixels of an enlarged image lie within a single pixel of the image.
    if column.count == 1, row.count == 1, column.outside == 0, row.outside == 0 {
      let index = Int(row.first) &* image.width &+ Int(column.first)
      return reader.color(of: reader.sample(index))
    }
    chooser.begin()
    var (across, down) = (Double(column.outside), Double(row.outside))
    for step in 0..<Int(row.count) {
      let height = Double(rows.weights[Int(row.offset) + step])
      let start = (Int(row.first) + step) * image.width
      down += height
      var index = Int(column.first)
      for stepAcross in 0..<Int(column.count) {
        if index >= image.width { index -= image.width }
        let vote = Double(columns.weights[Int(column.offset) + stepAcross]) * height
        chooser.add(reader.sample(start + index), vote: vote, reader)
        index += 1
      }
    }
    var inside = 0.0
    for step in 0..<Int(column.count) {
      inside += Double(columns.weights[Int(column.offset) + step])
    }
    across += inside
    let outside = across * down - inside * (down - Double(row.outside))
    return chooser.color(reader, outside: outside)
  }
}
