import Features
import SpatialIndex
import Tiling

extension ShapePieces {
  /// Calls `body` with each contour of a piece, in 1/256 px of the tile, and whether its end is
  /// joined to its beginning, until `body` returns `true`; returns whether it did.
  func contains(
    _ piece: Int, where body: (UnsafeBufferPointer<ShapeVertex>, Bool) -> Bool
  ) -> Bool {
    var isFound = false
    switch kinds[piece] {
    case .fullArea: break
    case .area:
      withArea(piece) { area in
        var start = 0
        for end in area.ends where !isFound {
          let contour = UnsafeBufferPointer(rebasing: area.vertices[start..<Int(end)])
          isFound = body(contour, true)
          start = Int(end)
        }
      }
    case .line:
      withLine(piece) { line in
        var start = 0
        for (end, flags) in zip(line.ends, line.flags) where !isFound {
          let contour = UnsafeBufferPointer(rebasing: line.vertices[start..<Int(end)])
          isFound = body(contour, flags.contains(.isClosed))
          start = Int(end)
        }
      }
    }
    return isFound
  }

  /// Mixes everything that decides the drawing of a piece into a hash.
  ///
  /// - Parameter followsLine: whether the distance of each vertex along its line matters; a line
  ///   that is lengthened at its end then changes in all of its tiles.
  func combineContent(of piece: Int, followsLine: Bool, into hash: inout StableHash) {
    hash.combine(UInt64(kinds[piece].rawValue))
    if let window = window(of: piece) { hash.combine(window) }
    switch kinds[piece] {
    case .fullArea: break
    case .area:
      withArea(piece) { area in
        hash.combine(area.ends.count)
        for end in area.ends { hash.combine(UInt64(end)) }
        for vertex in area.vertices { hash.combine(vertex) }
      }
    case .line:
      withLine(piece) { line in
        hash.combine(line.ends.count)
        for (end, flags) in zip(line.ends, line.flags) {
          hash.combine(UInt64(end) << 8 | UInt64(flags.rawValue))
        }
        for vertex in line.vertices { hash.combine(vertex) }
        guard followsLine else { return }
        for length in line.lengths { hash.combine(UInt64(bitPattern: length)) }
        for distance in line.distances { hash.combine(UInt64(bitPattern: distance)) }
      }
    }
  }

  /// Returns the smallest box around all vertices of a piece that is not full, in 1/256 px of the
  /// tile.
  func box(of piece: Int) -> PlaneBox {
    var box = PlaneBox.empty
    _ = contains(piece) { contour, _ in
      for vertex in contour { box.include(x: Int(vertex.x), y: Int(vertex.y)) }
      return false
    }
    return box
  }
}

extension StableHash {
  @inline(__always)
  fileprivate mutating func combine(_ vertex: ShapeVertex) {
    combine(UInt64(UInt32(bitPattern: vertex.x)) << 32 | UInt64(UInt32(bitPattern: vertex.y)))
  }

  fileprivate mutating func combine(_ window: SourceWindow) {
    combine(Int(window.firstColumn))
    combine(Int(window.endColumn))
    combine(Int(window.firstRow))
    combine(Int(window.endRow))
  }
}
