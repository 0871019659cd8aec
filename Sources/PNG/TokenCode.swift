/// The bits of every token of a picture of indices, for one row size.
struct TokenCode: Sendable {
  /// Maximum code length, so that even a full canvas stays small.
  static let limit = 13

  /// The deflate block's header that contains the code.
  let header: BitString
  let endOfBlock: CodedBits

  /// Maximum number of bits of any byte of a picture.
  let maximumBitsPerByte: Int

  /// The codes of 256 literals, then runs by length 0 … 258, then repeats of the row above by
  /// length 0 … 258.
  private let table: ContiguousArray<CodedBits>

  /// The codes of gaps of background pixels by length, up to ``WebPSymbol/longestCopy``, after a
  /// background pixel; empty in PNG, where gaps are runs.
  private let gaps: ContiguousArray<CodedBits>

  private static let runs = 256
  private static let aboves = 256 + 259

  /// - Parameter frequencies: those of pictures of this row size, with all symbols covered.
  init(_ frequencies: SymbolFrequencies, rowSize: Int) {
    let literals = DeflateCode(frequencies: frequencies.literals, limit: Self.limit)
    let distances = DeflateCode(frequencies: frequencies.distances, limit: Self.limit)
    let header = BitString(capacity: DynamicBlockHeader.maximumBitCount) { writer in
      DynamicBlockHeader.write(literals: literals, distances: distances, into: &writer)
    }
    let endOfBlock = literals.codes[DeflateSymbol.endOfBlock]
    var table = ContiguousArray(literals.codes[0..<256])
    for distance in [1, rowSize] {
      let symbol = DeflateSymbol(distance: distance)
      let suffix = distances.codes[symbol.symbol].followed(by: symbol.extra)
      for length in 0...DeflateSymbol.longestMatch {
        guard length >= DeflateSymbol.shortestMatch else {
          table.append(CodedBits())
          continue
        }
        let symbol = DeflateSymbol(length: length)
        table.append(
          literals.codes[symbol.symbol].followed(by: symbol.extra).followed(by: suffix))
      }
    }
    self.init(header: header, endOfBlock: endOfBlock, table: table, gaps: [])
  }

  /// Creates the code of a lossless WebP.
  ///
  /// - Parameters:
  ///   - frequencies: those of the tokens of deflate, with all symbols covered.
  ///   - width: the width of the picture.
  init(webP frequencies: SymbolFrequencies, width: Int) {
    let code = DeflateCode(frequencies: frequencies.webP(width: width), limit: Self.limit)
    let header = BitString(capacity: 4 * WebPPrefixCode.maximumBitCount) { writer in
      writer.put(0, count: 1)  // no other transform
      writer.put(0, count: 2)  // no colour cache, one group of codes
      _ = WebPPrefixCode.write(code, into: &writer)
      // The red, blue and alpha channels of an index mean nothing, so each has a code with one
      // symbol.
      for _ in 0..<3 { WebPPrefixCode.writeSingle(0, into: &writer) }
      WebPPrefixCode.writeBit(into: &writer)
    }
    func copy(_ length: Int, _ distance: Int) -> CodedBits {
      let symbol = WebPSymbol(length: length)
      return code.codes[WebPSymbol.literalCount + symbol.symbol].followed(by: symbol.extra)
        .followed(by: CodedBits(bits: UInt32(distance), count: 1))
    }
    var table = ContiguousArray(code.codes[0..<256])
    for distance in [WebPSymbol.left, WebPSymbol.above] {
      table.append(CodedBits())
      for length in 1...DeflateSymbol.longestMatch { table.append(copy(length, distance)) }
    }
    var gaps: ContiguousArray = [CodedBits()]
    for length in 1...WebPSymbol.longestCopy { gaps.append(copy(length, WebPSymbol.left)) }
    // One or two pixels may be shorter as they are.
    let literal = code.codes[0]
    if literal.count < gaps[1].count { gaps[1] = literal }
    if literal.count * 2 < gaps[2].count { gaps[2] = literal.followed(by: literal) }
    self.init(header: header, endOfBlock: CodedBits(), table: table, gaps: gaps)
  }

  private init(
    header: BitString, endOfBlock: CodedBits, table: ContiguousArray<CodedBits>,
    gaps: ContiguousArray<CodedBits>
  ) {
    (self.header, self.endOfBlock, self.table, self.gaps) = (header, endOfBlock, table, gaps)
    let literalBits = table[0..<256].map(\.count).max() ?? 0
    let matchBits = table[256...].map(\.count).max() ?? 0
    maximumBitsPerByte = Int(max(literalBits, (matchBits + 2) / 3))
  }

  /// Codes the tokens that `body` emits after the bits in `writer`, and returns the writer.
  @inline(__always)
  func write<Result>(
    into writer: inout BitWriter, _ body: (inout Sink) -> Result
  ) -> Result {
    table.withUnsafeBufferPointer { table in
      gaps.withUnsafeBufferPointer { gaps in
        var sink = Sink(table: table, gaps: gaps, writer: writer)
        let result = body(&sink)
        writer = sink.writer
        return result
      }
    }
  }

  /// A sink that appends each token's bits.
  struct Sink: TokenSink {
    fileprivate let literals: UnsafePointer<CodedBits>
    fileprivate let runs: UnsafePointer<CodedBits>
    fileprivate let aboves: UnsafePointer<CodedBits>
    fileprivate let gaps: UnsafePointer<CodedBits>?
    fileprivate var writer: BitWriter

    fileprivate init(
      table: UnsafeBufferPointer<CodedBits>, gaps: UnsafeBufferPointer<CodedBits>,
      writer: BitWriter
    ) {
      guard let start = table.baseAddress else { preconditionFailure("the table is never empty") }
      literals = start
      runs = start + TokenCode.runs
      aboves = start + TokenCode.aboves
      self.gaps = gaps.isEmpty ? nil : gaps.baseAddress
      self.writer = writer
    }

    @inline(__always)
    mutating func literal(_ byte: UInt8) { writer.put(literals[Int(byte)]) }

    @inline(__always)
    mutating func run(_ length: Int) { writer.put(runs[length]) }

    @inline(__always)
    mutating func above(_ length: Int) { writer.put(aboves[length]) }

    @inline(__always)
    mutating func blank(_ count: Int) {
      guard let gaps else { return blankByRuns(count) }
      if count <= 0 { return }
      writer.put(literals[0])
      var left = count &- 1
      while left >= WebPSymbol.longestCopy {
        writer.put(gaps[WebPSymbol.longestCopy])
        left &-= WebPSymbol.longestCopy
      }
      writer.put(gaps[left])
    }

    /// Appends tokens coded before.
    @inline(__always)
    mutating func coded(_ words: UnsafePointer<UInt64>, bitCount: Int) {
      writer.put(words, bitCount: bitCount)
    }

    /// Appends tokens coded before.
    @inline(__always)
    mutating func coded(_ bits: BitString) { writer.put(bits) }

    @inline(__always)
    mutating func longestRuns(_ count: Int) {
      let one = runs[DeflateSymbol.longestMatch]
      // A blank tile has 255 longest runs, of 2 or 3 bits each; doubling appends at least 16 bits
      // at a time.
      var (bits, width, left) = (UInt64(one.bits), UInt64(one.count), count)
      var batch = 1
      while width &* 2 <= UInt64(BitWriter.maximumCount), batch < left {
        bits |= bits &<< width
        width &*= 2
        batch &*= 2
      }
      while left >= batch {
        writer.put(bits, count: width)
        left &-= batch
      }
      let rest = UInt64(left) &* UInt64(one.count)
      writer.put(bits & ((1 &<< rest) &- 1), count: rest)
    }
  }
}
