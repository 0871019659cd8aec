import TapBlocks

/// Compact taps: a byte of options, then what to do to a good block or page of entries, or with the
/// highest bit the whole of it. The lowest bit takes a page instead of a block, the next has the damage
/// done to the compressed stream, the third lets a page begin near the greatest number.
enum TapFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let options = input.byte()
    let isPage = options.has(bit: 0)
    let good = isPage ? page.encoded() : block.encoded()
    let isStream = options.has(bit: 1)
    let whole = isStream ? TapDeflater().compress(good) : good
    let damaged = options.has(bit: 7) ? input.rest : Damage.apply(&input, to: whole, pageSize: 16)
    let inflated =
      isStream ? try? damaged.withUnsafeBytes { try TapInflater().inflate($0) } : damaged
    guard let inflated else {
      try require(damaged != whole, "the good stream is refused")
      return false
    }
    try require(inflated.count <= TapInflater.byteLimit, "more was inflated than may be")
    let first = options.has(bit: 2) ? Int64(TapBlock.identifierLimit) - 2 : 1000
    let isTaken = try isPage ? checkPage(inflated, first: first) : checkBlock(inflated)
    let isGood = inflated == good && !(isPage && options.has(bit: 2))
    try require(isTaken || !isGood, "the good one is refused")
    return isTaken
  }

  // MARK: Blocks

  private static func checkBlock(_ bytes: [UInt8]) throws -> Bool {
    guard let block = try? TapBlock(bytes) else { return false }
    try require(block.isWithinLimits, "a block beyond its limits was taken")
    try require(
      try TapBlock(block.encoded()) == block, "what is written again is read as another block")
    // Two readers of one place; a disc whose box is no square is none of ours.
    let areDiscsRound = block.stacks.joined().allSatisfy {
      !$0.isDisc || $0.right - $0.left == $0.bottom - $0.top
    }
    let prints = block.symbols.stacks.reduce(0) { $0 + block.stacks[Int($1)].count }
    guard areDiscsRound, prints + block.vertices.count <= 1 << 14 else { return true }
    let part = block.part(of: 0x00FF_00FF_5555_5555)
    try require(try TapBlock(part.encoded()) == part, "a part is read as another block")
    try require(
      Set(part.features).isSubset(of: block.features), "a part names features of its own")
    for tile in [0, 9, 63] { try checkAnswers(of: tile, block, part) }
    return true
  }

  /// Compares a grid of a tile with single places, and the part's answers with the whole's.
  private static func checkAnswers(
    of tile: Int, _ block: TapBlock, _ part: TapBlock
  ) throws(FuzzFailure) {
    let side = 4
    let cells = try? block.grid(ofTile: tile, side: side)
    let (width, isInPart) = (Double(block.tileSide), part.tiles >> UInt64(tile) & 1 != 0)
    for cell in 0..<side * side {
      let x = (Double(tile % 8) + (Double(cell % side) + 0.5) / Double(side)) * width
      let y = (Double(tile / 8) + (Double(cell / side) + 0.5) / Double(side)) * width
      let feature = block.feature(x: x, y: y)
      if let cells { try require(cells[cell] == feature, "a grid answers otherwise than a place") }
      try require(
        part.feature(x: x, y: y) == (isInPart ? feature : nil), "a part answers otherwise")
    }
  }

  /// One of each kind of thing, in the tiles 0 and 9.
  private static let block: TapBlock = {
    var block = TapBlock(tileSide: 256)
    block.tiles = 1 | 1 << 9
    block.stacks = [
      [
        TapPrint(
          layer: 2, isDisc: true, isOnPixel: false, left: -1280, top: -1280, right: 1280,
          bottom: 1280),
        TapPrint(
          layer: 3, isDisc: false, isOnPixel: true, left: 0, top: -4096, right: 9000, bottom: 0),
      ]
    ]
    block.symbols.append(stack: 0, x: 1000, y: 1200, feature: 7)
    block.symbols.append(stack: 0, x: 4100, y: 4000, feature: 3)
    let rings: [(TapShape.Kind, UInt8, [(Int32, Int32)])] = [
      (.wholeTile, 0, []), (.area, 0, [(100, 100), (3000, 200), (1500, 3900)]),
      (.speck, 0, [(2000, 3000)]), (.outline, 0, [(100, 100), (3000, 200)]),
      (.line, 9, [(4096, 4096), (6000, 8000), (8191, 4100)]),
    ]
    for (kind, tile, places) in rings {
      var shape = TapShape(
        tile: tile, kind: kind, layer: 1, feature: UInt64(10 + block.shapes.count) << 40)
      if kind.isStroke { (shape.half, shape.gap) = (512, kind == .line ? 128 : 0) }
      if !places.isEmpty {
        shape.runs = 1
        block.vertices += places.map { TapVertex(x: $0.0, y: $0.1) }
        block.runEnds.append(UInt32(block.vertices.count))
      }
      block.shapes.append(shape)
    }
    return block
  }()

  // MARK: Entries

  private static func checkPage(_ bytes: [UInt8], first: Int64) throws -> Bool {
    guard let page = try? TapEntryPage(bytes, first: first) else { return false }
    let all = page.identifiers
    try require(
      (1...TapEntryPage.countLimit).contains(all.count) && all.count == page.entries.count,
      "a page of \(all.count) entries was taken")
    try require(all.first.map(Int64.init) == first, "a page begins elsewhere")
    try require(zip(all, all.dropFirst()).allSatisfy { $0 < $1 }, "identifiers do not ascend")
    let named = all + page.entries.flatMap { $0.members ?? [] }
    try require(
      named.allSatisfy { $0 < TapBlock.identifierLimit }, "an identifier is beyond the limit")
    try require(
      page.byteCount == page.entries.reduce(0) { $0 + $1.byteCount }
        && page.byteCount <= bytes.count,
      "a page has more bytes than there are")
    for (identifier, entry) in zip(all, page.entries) {
      try require(page.entry(of: identifier) == entry, "an entry is not found")
    }
    try require(
      try TapEntryPage(page.encoded(), first: first) == page,
      "what is written again is read as another page")
    return true
  }

  private static let page: TapEntryPage = {
    var page = TapEntryPage()
    let texts: [(UInt64, String)] = [(1000, ""), (1001, #""name":"é""#), (1300, #""n":7"#)]
    for (identifier, text) in texts {
      page.append(
        identifier,
        TapEntry(
          key: Array("k\(identifier)".utf8), fields: Array(text.utf8), more: Array(#""t":1"#.utf8),
          members: identifier == 1300 ? [1001, 1 << 50] : nil))
    }
    return page
  }()
}
