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

  private static let runs = 256
  private static let aboves = 256 + 259

  /// - Parameter frequencies: those of pictures of this row size, with all symbols covered.
  init(_ frequencies: SymbolFrequencies, rowSize: Int) {
    let literals = DeflateCode(frequencies: frequencies.literals, limit: Self.limit)
    let distances = DeflateCode(frequencies: frequencies.distances, limit: Self.limit)
    header = BitString(capacity: DynamicBlockHeader.maximumBitCount) { writer in
      DynamicBlockHeader.write(literals: literals, distances: distances, into: &writer)
    }
    endOfBlock = literals.codes[DeflateSymbol.endOfBlock]
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
    self.table = table
    let literalBits = table[0..<256].map(\.count).max() ?? 0
    let matchBits = table[256...].map(\.count).max() ?? 0
    maximumBitsPerByte = Int(max(literalBits, (matchBits + 2) / 3))
  }

  /// Codes the tokens that `body` emits behind the bits in `writer`, and returns the writer.
  @inline(__always)
  func write<Result>(
    into writer: inout BitWriter, _ body: (inout Sink) -> Result
  ) -> Result {
    table.withUnsafeBufferPointer { table in
      var sink = Sink(table: table, writer: writer)
      let result = body(&sink)
      writer = sink.writer
      return result
    }
  }

  /// A sink that appends each token's bits.
  struct Sink: TokenSink {
    fileprivate let literals: UnsafePointer<CodedBits>
    fileprivate let runs: UnsafePointer<CodedBits>
    fileprivate let aboves: UnsafePointer<CodedBits>
    fileprivate var writer: BitWriter

    fileprivate init(table: UnsafeBufferPointer<CodedBits>, writer: BitWriter) {
      guard let start = table.baseAddress else { preconditionFailure("the table is never empty") }
      literals = start
      runs = start + TokenCode.runs
      aboves = start + TokenCode.aboves
      self.writer = writer
    }

    @inline(__always)
    mutating func literal(_ byte: UInt8) { writer.put(literals[Int(byte)]) }

    @inline(__always)
    mutating func run(_ length: Int) { writer.put(runs[length]) }

    @inline(__always)
    mutating func above(_ length: Int) { writer.put(aboves[length]) }

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
      // A blank tile has 255 of them, of 2 or 3 bits: at least 16 bits at a time by doubling.
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
