// Encoding of a block as bytes: numbers as ``TapByteWriter`` encodes them, positions and features
// as differences from the previous one.
extension TapBlock {
  /// Whether readers accept the block's symbols; its bytes have a limit as well
  /// (``TapInflater/byteLimit``).
  package var isWithinLimits: Bool {
    symbols.stacks.reduce(0) { $0 + stacks[Int($1)].count } <= Self.printLimit
  }

  /// Returns the bytes before compression.
  ///
  /// - Complexity: O(symbols + vertices).
  package func encoded() -> [UInt8] {
    var writer = TapByteWriter()
    writer.append(Self.formatVersion)
    writer.append(fixed: tiles)
    writer.append(tileSide)
    writer.append(stacks.count)
    for stack in stacks {
      writer.append(stack.count)
      for print in stack {
        writer.append(Int(print.layer))
        writer.append((print.isDisc ? 1 : 0) | (print.isOnPixel ? 2 : 0))
        for edge in [print.left, print.top, print.right, print.bottom] {
          writer.append(signed: Int(edge))
        }
      }
    }
    encodeSymbols(to: &writer)
    encodeShapes(to: &writer)
    return writer.bytes
  }

  private func encodeSymbols(to writer: inout TapByteWriter) {
    writer.append(symbols.count)
    for stack in symbols.stacks { writer.append(Int(stack)) }
    for column in [symbols.xs, symbols.ys] {
      var last = 0
      for value in column {
        writer.append(signed: Int(value) - last)
        last = Int(value)
      }
    }
    var last = 0
    for feature in symbols.features {
      writer.append(signed: Int(feature) - last)
      last = Int(feature)
    }
  }

  private func encodeShapes(to writer: inout TapByteWriter) {
    writer.append(shapes.count)
    var (run, tile, feature) = (0, 0, 0)
    var last = TapVertex(x: 0, y: 0)
    for shape in shapes {
      writer.append(Int(shape.tile) - tile)
      writer.append(Int(shape.kind.rawValue))
      writer.append(Int(shape.layer))
      writer.append(signed: Int(shape.feature) - feature)
      (tile, feature) = (Int(shape.tile), Int(shape.feature))
      if shape.kind.isStroke {
        writer.append(Int(shape.half))
        writer.append(Int(shape.gap))
      }
      if shape.kind != .wholeTile { writer.append(Int(shape.runs)) }
      for _ in 0..<Int(shape.runs) {
        let range = vertexRange(ofRun: run)
        writer.append(range.count)
        for vertex in vertices[range] {
          writer.append(signed: Int(vertex.x) - Int(last.x))
          writer.append(signed: Int(vertex.y) - Int(last.y))
          last = vertex
        }
        run += 1
      }
    }
  }
}
