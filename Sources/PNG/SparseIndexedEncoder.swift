/// Writes tiles of a few symbols straight as deflate tokens, without a general compressor.
///
/// A tile that shows little is a string of blank stretches, runs and repeats of the row above. With
/// a palette and a Huffman code fixed for a whole tileset, a PNG is a constant beginning, the
/// tokens' bits, and two checksums, of which Adler-32 follows from sums kept with the sprites.
/// Immutable: all workers share one. Bytes depend on the indices alone, so that a tile of one
/// prepared sprite equals the canvas with that sprite.
package final class SparseIndexedEncoder: Sendable {
  package let width: Int
  package let height: Int

  /// How many indices are colours.
  package let paletteCount: Int

  /// Bytes that a tile needs at most, and that every buffer must hold.
  package let maximumEncodedSize: Int

  private let rowSize: Int
  private let code: TokenCode
  private let beginning: IndexedFileBeginning

  /// Makes the constant beginning and the Huffman code.
  ///
  /// - Parameters:
  ///   - width: of every tile, 1 … 4096 pixels.
  ///   - height: of every tile, 1 … 4096 pixels.
  ///   - palette: 1 … 256 straight colours with red in the lowest byte; the first is the background.
  ///     The more transparent ones belong in front, so that tRNS is short.
  ///   - training: sprites and how often each stands alone on a tile, about; any sprite can be
  ///     encoded, those like these in the fewest bits.
  package init(
    width: Int, height: Int, palette: [UInt32], training: [(sprite: IndexedSprite, weight: Int)]
  ) {
    precondition((1...4096).contains(width) && (1...4096).contains(height))
    precondition((1...256).contains(palette.count))
    self.width = width
    self.height = height
    paletteCount = palette.count
    rowSize = width + 1
    var counter = SymbolCounter(rowSize: rowSize)
    // One blank tile, so that blank stretches are short even without training.
    counter.count(IndexedSprite(width: 0, height: 0, indices: []), rowSize: rowSize, height: height)
    for (sprite, weight) in training {
      precondition(Int(sprite.largestIndex) < palette.count)
      counter.weight = UInt64(min(max(weight, 0), 1 << 20))
      counter.count(sprite, rowSize: rowSize, height: height)
    }
    counter.coverAll(paletteCount: palette.count)
    code = TokenCode(counter, rowSize: rowSize)

    beginning = IndexedFileBeginning(
      width: width, height: height, palette: palette, blockHeader: code.header)
    let data = (rowSize * height * code.maximumBitsPerByte + Int(code.endOfBlock.count)) / 8 + 2
    maximumEncodedSize = beginning.bytes.count + data + IndexedFileEnd.size + BitWriter.slack
  }

  /// Codes a sprite for tiles that it has to itself.
  ///
  /// - Complexity: O(indices of the sprite).
  package func prepared(_ sprite: IndexedSprite) -> PreparedSprite {
    precondition(Int(sprite.largestIndex) < paletteCount, "an index beyond the palette")
    // Gaps between rows take a few tokens each, whatever their length in the tile.
    let gaps = sprite.height * (rowSize / DeflateSymbol.longestMatch + 6) * 32
    let capacity = sprite.width * sprite.height * code.maximumBitsPerByte + gaps
    var sums = IndexedRows.Sums()
    let bits = BitString(capacity: capacity) { writer in
      sums = code.write(into: &writer) { sink in
        sprite.withRows { $0.write(into: &sink, rowSize: rowSize, leading: nil) }
      }
    }
    let filled = (0..<sprite.height).filter { sprite.rowStarts[$0] < sprite.rowEnds[$0] }
    let left = filled.map { Int(sprite.rowStarts[$0]) }.min() ?? 0
    let right = filled.map { Int(sprite.rowEnds[$0]) }.max() ?? 0
    return PreparedSprite(
      sprite: sprite, bits: bits, sums: sums, columns: left..<right,
      rows: (filled.first ?? 0)..<((filled.last ?? -1) + 1))
  }

  /// Whether all that a sprite shows lies inside the tile when its corner is at a column and row.
  package func contains(_ sprite: PreparedSprite, x: Int, y: Int) -> Bool {
    // Compared on this side, so that no corner, however far away, overflows.
    x >= -sprite.columns.lowerBound && x <= width - sprite.columns.upperBound
      && y >= -sprite.rows.lowerBound && y <= height - sprite.rows.upperBound
  }

  /// Encodes the tile that shows one sprite and nothing else.
  ///
  /// - Parameters:
  ///   - sprite: prepared by this encoder.
  ///   - x: the column of the sprite's north-west corner; ``contains(_:x:y:)`` must hold.
  ///   - y: the row of the sprite's north-west corner.
  ///   - buffer: at least ``maximumEncodedSize`` bytes.
  /// - Returns: how many bytes the file takes.
  /// - Complexity: O(coded bytes).
  package func encode(
    _ sprite: PreparedSprite, x: Int, y: Int, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    precondition(contains(sprite, x: x, y: y), "the sprite is not inside the tile")
    let start = checked(buffer)
    var writer = beginning.copy(to: start)
    let before = 1 + y * rowSize + x + sprite.sums.first
    let after = rowSize * height - before - sprite.sums.extent
    if sprite.sums.extent == 0 {
      code.write(into: &writer) { $0.blank(rowSize * height) }
    } else {
      code.write(into: &writer) { $0.blank(before) }
      writer.put(sprite.bits)
      code.write(into: &writer) { $0.blank(after) }
    }
    return finish(&writer, start, sprite.sums, first: before)
  }

  /// Encodes what a canvas of the tile's size shows; its indices lie in the palette.
  ///
  /// - Parameter buffer: at least ``maximumEncodedSize`` bytes.
  /// - Returns: how many bytes the file takes.
  /// - Complexity: O(touched indices + coded bytes).
  package func encode(
    _ canvas: IndexedCanvas, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    precondition(canvas.width == width && canvas.height == height)
    let start = checked(buffer)
    var writer = beginning.copy(to: start)
    let sums = code.write(into: &writer) { sink in
      let sums = canvas.withRows { $0.write(into: &sink, rowSize: rowSize, leading: 1) }
      let written = sums.extent == 0 ? 0 : 1 + sums.first + sums.extent
      sink.blank(rowSize * height - written)
      return sums
    }
    precondition(Int(sums.largest) < paletteCount, "an index beyond the palette")
    return finish(&writer, start, sums, first: 1 + sums.first)
  }

  private func checked(_ buffer: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawPointer {
    guard let start = buffer.baseAddress, buffer.count >= maximumEncodedSize else {
      preconditionFailure("the buffer is shorter than maximumEncodedSize")
    }
    return start
  }

  /// Ends the block, the stream and the file, and returns its length.
  private func finish(
    _ writer: inout BitWriter, _ start: UnsafeMutableRawPointer, _ sums: IndexedRows.Sums,
    first: Int
  ) -> Int {
    writer.put(code.endOfBlock)
    let checksum = sums.adler32(first: first, count: rowSize * height)
    let data = start + beginning.dataOffset
    return IndexedFileEnd.write(at: writer.finish(), data: data, adler32: checksum) - start
  }
}
