/// A sprite with its tokens coded for the tiles of one ``SparseIndexedEncoder``.
///
/// Wherever a sprite is inside a tile, its rows have the same bits if nothing else overlaps its
/// box, and if it is alone, all its bits are the same; only the blank gaps change.
package final class PreparedSprite: @unchecked Sendable {
  package let sprite: IndexedSprite

  /// The straight colours that the palette lacks; their indexes follow those of the palette.
  package let extras: [UInt32]

  /// The encoder whose code is used.
  let owner: ObjectIdentifier

  /// The coded tokens from the first non-background index to the last.
  let bits: BitString

  /// The offset of the first non-background index when the sprite's corner has offset 0.
  let first: Int

  /// The number of bytes from that index to the last non-background one.
  let extent: Int

  /// The sums for a corner at offset 0.
  let sums: IndexSums

  /// The coded tokens of each row separately.
  let coded: UnsafePointer<CodedRow>

  /// The words of all rows' tokens; each row begins with a new word.
  let words: UnsafePointer<UInt64>

  /// The location of the tokens of one row among the words.
  struct CodedRow {
    var firstWord: Int32 = 0
    var bitCount: Int32 = 0
    var start: Int32 = 0

    /// The number of indices from the row's first non-background one to its last; 0 in a blank row.
    var count: Int32 = 0
  }

  init(
    _ sprite: IndexedSprite, extras: [UInt32], rowSize: Int, code: TokenCode,
    owner: ObjectIdentifier
  ) {
    self.sprite = sprite
    self.extras = extras
    self.owner = owner
    var parts: [BitString] = []
    var coded: [CodedRow] = []
    var sums = IndexSums()
    sprite.withRows { rows in
      var wordCount = 0
      for row in rows.rows {
        let span = rows.span(row: row)
        let hasAbove = (coded.last?.count ?? 0) > 0
        let part = BitString(capacity: span.count * code.maximumBitsPerByte) { writer in
          code.write(into: &writer) { sink in
            span.write(into: &sink, above: hasAbove ? span.first - rows.stride : nil)
          }
        }
        sums.add(span, at: row * rowSize + span.start)
        coded.append(
          CodedRow(
            firstWord: Int32(wordCount), bitCount: Int32(part.bitCount), start: Int32(span.start),
            count: Int32(span.count)))
        wordCount += part.words.count
        parts.append(part)
      }
    }
    self.sums = sums
    (bits, first, extent) = Self.joined(parts, coded, rowSize: rowSize, code: code)
    self.coded = UnsafePointer(Self.copy(coded))
    words = UnsafePointer(Self.copy(parts.flatMap(\.words)))
  }

  deinit {
    coded.deallocate()
    words.deallocate()
  }

  /// Returns one string of all rows with the blank gaps between them.
  private static func joined(
    _ parts: [BitString], _ coded: [CodedRow], rowSize: Int, code: TokenCode
  ) -> (bits: BitString, first: Int, extent: Int) {
    var first: Int?
    var position = 0
    // A gap of one row or more takes a token per 258 bytes, and four at its ends.
    let gaps = coded.count * (rowSize / DeflateSymbol.longestMatch + 6) * 32
    let bits = BitString(capacity: parts.reduce(gaps) { $0 + $1.bitCount }) { writer in
      for (row, part) in parts.enumerated() where coded[row].count > 0 {
        let offset = row * rowSize + Int(coded[row].start)
        if first == nil {
          first = offset
        } else {
          code.write(into: &writer) { $0.blank(offset - position) }
        }
        writer.put(part)
        position = offset + Int(coded[row].count)
      }
    }
    return (bits, first ?? 0, position - (first ?? 0))
  }

  private static func copy<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(elements.count, 1))
    _ = memory.initialize(from: elements)
    guard let start = memory.baseAddress else { preconditionFailure("memory is never empty") }
    return start
  }
}

/// A prepared sprite with its north-west corner at a column and row of a tile.
package struct SpritePlacement: Sendable {
  package let sprite: PreparedSprite
  package let x: Int
  package let y: Int

  package init(_ sprite: PreparedSprite, x: Int, y: Int) {
    self.sprite = sprite
    self.x = x
    self.y = y
  }
}
