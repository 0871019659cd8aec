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
  /// - Complexity: O(n log n) for the features, O(symbols + vertices).
  package func encoded() -> [UInt8] { encoded(features, named: { $0 }) }

  /// Returns the bytes before compression.
  ///
  /// - Parameters:
  ///   - features: the features that occur, ascending.
  ///   - name: returns the identifier of a feature, for blocks whose features have other numbers in the
  ///     same order.
  package func encoded(_ features: [UInt64], named name: (UInt64) -> UInt64) -> [UInt8] {
    var writer = TapByteWriter()
    writer.reserveCapacity(64 + 16 * (features.count + symbols.count) + 6 * vertices.count)
    writer.append(Self.formatVersion)
    writer.append(fixed: tiles)
    writer.append(tileSide)
    writer.append(features.count)
    var last: UInt64 = 0
    for feature in features {
      let identifier = name(feature)
      writer.append(Int(identifier - last))
      last = identifier
    }
    func place(_ feature: UInt64) -> Int {
      var (low, high) = (0, features.count)
      while low < high {
        let middle = (low + high) >> 1
        if features[middle] < feature { low = middle + 1 } else { high = middle }
      }
      return low
    }
    writer.append(stacks.count)
    for stack in stacks {
      writer.append(stack.count)
      for print in stack {
        writer.append(Int(print.layer))
        writer.append((print.isDisc ? 1 : 0) | (print.isOnPixel ? 2 : 0))
        writer.append(signed: Int(print.left))
        writer.append(signed: Int(print.top))
        writer.append(signed: Int(print.right))
        writer.append(signed: Int(print.bottom))
      }
    }
    encodeSymbols(to: &writer, place)
    encodeShapes(to: &writer, place)
    return writer.bytes
  }

  private func encodeSymbols(to writer: inout TapByteWriter, _ place: (UInt64) -> Int) {
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
      let next = place(feature)
      writer.append(signed: next - last)
      last = next
    }
  }

  private func encodeShapes(to writer: inout TapByteWriter, _ place: (UInt64) -> Int) {
    writer.append(shapes.count)
    var (run, tile, feature) = (0, 0, 0)
    var last = TapVertex(x: 0, y: 0)
    for shape in shapes {
      writer.append(Int(shape.tile) - tile)
      writer.append(Int(shape.kind.rawValue))
      writer.append(Int(shape.layer))
      let next = place(shape.feature)
      writer.append(signed: next - feature)
      (tile, feature) = (Int(shape.tile), next)
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
