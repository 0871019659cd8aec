// Decoding of a block: numbers as ``TapByteReader`` reads them, positions and features as differences
// from the previous one.
extension TapBlock {
  /// The version, with which the bytes begin.
  package static let formatVersion = 2

  /// The version whose features are numbers of the whole archive, without a list in the block.
  private static let earlierVersion = 1

  /// Maximum number of layers of a style, and maximum width of a tile in pixels.
  private static let layerLimit = 1 << 16
  private static let sideLimit = 4096

  /// Maximum number of prints of a block over all symbols, which a hit test has to examine.
  package static let printLimit = 1 << 24

  /// Decodes bytes, which are not trusted.
  ///
  /// - Complexity: O(bytes).
  package init(_ bytes: [UInt8]) throws(TapFault) {
    var reader = TapByteReader(bytes)
    let version = try reader.number()
    guard [Self.earlierVersion, Self.formatVersion].contains(version) else {
      throw TapFault("is of another version of the format")
    }
    let tiles = try reader.fixed()
    let side = try reader.number(upTo: Self.sideLimit, "a tile's side")
    guard side > 0 else { throw TapFault("has tiles without px") }
    self.init(tileSide: side)
    self.tiles = tiles
    let names =
      version == Self.earlierVersion
      ? Names.numbers : Names.listed(try Self.identifiers(from: &reader))
    for _ in 0..<(try reader.count(of: "stacks")) {
      var stack: [TapPrint] = []
      let prints = try reader.count(of: "prints")
      guard prints > 0 else { throw TapFault("has a stack without prints") }
      for _ in 0..<prints { stack.append(try Self.print(from: &reader)) }
      stacks.append(stack)
    }
    try decodeSymbols(from: &reader, names)
    try decodeShapes(from: &reader, names)
    try reader.finish()
  }

  /// The meaning of the feature numbers in a block.
  private enum Names {
    /// Each number is an identifier.
    case numbers
    /// Each number is a place in the list of identifiers.
    case listed([UInt64])

    func identifier(of number: Int) throws(TapFault) -> UInt64 {
      switch self {
      case .numbers:
        guard let number = UInt32(exactly: number) else {
          throw TapFault("names the feature \(number), which cannot be")
        }
        return UInt64(number)
      case .listed(let all):
        guard all.indices.contains(number) else {
          throw TapFault("names the place \(number) of a list of \(all.count) features")
        }
        return all[number]
      }
    }
  }

  private static func identifiers(from reader: inout TapByteReader) throws(TapFault) -> [UInt64] {
    var identifiers: [UInt64] = []
    var last: UInt64 = 0
    for index in 0..<(try reader.count(of: "features")) {
      let step = try reader.identifier()
      guard step > 0 || index == 0, last + step < identifierLimit else {
        throw TapFault("has identifiers that do not ascend")
      }
      last += step
      identifiers.append(last)
    }
    return identifiers
  }

  private static func print(from reader: inout TapByteReader) throws(TapFault) -> TapPrint {
    let layer = try reader.number(upTo: layerLimit, "a layer")
    let flags = try reader.number(upTo: 3, "a print's kind")
    let print = TapPrint(
      layer: Int32(layer), isDisc: flags & 1 != 0, isOnPixel: flags & 2 != 0,
      left: try coordinate(reader.signed()), top: try coordinate(reader.signed()),
      right: try coordinate(reader.signed()), bottom: try coordinate(reader.signed()))
    guard print.left <= print.right, print.top <= print.bottom else {
      throw TapFault("has a print that is turned inside out")
    }
    return print
  }

  private mutating func decodeSymbols(
    from reader: inout TapByteReader, _ names: Names
  ) throws(TapFault) {
    let count = try reader.count(of: "symbols")
    var prints = 0
    for _ in 0..<count {
      let stack = try reader.number()
      guard stack < stacks.count else { throw TapFault("has a symbol of no stack") }
      prints += stacks[stack].count
      guard prints <= Self.printLimit else { throw TapFault("has too many prints") }
      symbols.stacks.append(UInt32(stack))
    }
    var last = 0
    for _ in 0..<count {
      last += try reader.signed()
      symbols.xs.append(try Self.coordinate(last))
    }
    last = 0
    for _ in 0..<count {
      last += try reader.signed()
      symbols.ys.append(try Self.coordinate(last))
    }
    last = 0
    for _ in 0..<count {
      last += try reader.signed()
      symbols.features.append(try names.identifier(of: last))
    }
  }

  private mutating func decodeShapes(
    from reader: inout TapByteReader, _ names: Names
  ) throws(TapFault) {
    var (tile, feature, x, y) = (0, 0, 0, 0)
    for _ in 0..<(try reader.count(of: "shapes")) {
      tile += try reader.number(upTo: Self.side * Self.side, "a tile's step")
      guard tile < Self.side * Self.side else {
        throw TapFault("has a shape of a tile outside")
      }
      let number = UInt8(try reader.number(upTo: Int(UInt8.max), "a shape's kind"))
      guard let kind = TapShape.Kind(rawValue: number) else {
        throw TapFault("has a shape of the unknown kind \(number)")
      }
      let layer = try reader.number(upTo: Self.layerLimit, "a layer")
      feature += try reader.signed()
      var shape = TapShape(
        tile: UInt8(tile), kind: kind, layer: Int32(layer),
        feature: try names.identifier(of: feature))
      if kind.isStroke {
        shape.half = try Self.coordinate(reader.number())
        shape.gap = try Self.coordinate(reader.number())
      }
      if kind != .wholeTile { shape.runs = UInt32(try reader.count(of: "runs")) }
      for _ in 0..<Int(shape.runs) {
        let count = try reader.count(of: "vertices")
        guard count > 0 else { throw TapFault("has a run without vertices") }
        for _ in 0..<count {
          x += try reader.signed()
          y += try reader.signed()
          vertices.append(TapVertex(x: try Self.coordinate(x), y: try Self.coordinate(y)))
        }
        runEnds.append(UInt32(truncatingIfNeeded: vertices.count))
      }
      guard kind != .speck || shape.runs == 1 else { throw TapFault("has a speck of no place") }
      shapes.append(shape)
    }
  }

  /// Returns a number as a coordinate, |n| < 2²⁹ so that sums stay within 32 bits.
  private static func coordinate(_ value: Int) throws(TapFault) -> Int32 {
    guard abs(value) < 1 << 29 else { throw TapFault("has a place far outside") }
    return Int32(value)
  }
}
