import Features
import Ingest
import MBTiles
import OrderedCollections

/// A reader of the text of a grid from an archive.
struct GridTextReader {
  /// The number of the key for each cell, row by row; as many rows as columns.
  let cells: [Int]

  /// The number of cells along a side.
  let side: Int

  /// The keys by number; the first is "" for an empty cell.
  let keys: [String]

  /// The content of a text.
  enum Content {
    case grid(GridTextReader)
    /// An invalid text: the end of a sentence that begins "the grid of tile …".
    case fault(String)
  }

  /// Reads a text without trusting any of it.
  static func read(_ text: [UInt8]) -> Content {
    guard case .object(let members)? = try? JSONValueParser.parse(text),
      case .array(let rows)? = members["grid"], case .array(let names)? = members["keys"]
    else { return .fault("is no JSON with 'grid' and 'keys'") }
    var keys: [String] = []
    for name in names {
      guard case .string(let key) = name else { return .fault("has a key that is no text") }
      keys.append(key)
    }
    guard keys.first == "" else { return .fault("does not begin its keys with \"\"") }
    guard Set(keys).count == keys.count else { return .fault("names a key twice") }
    var cells: [Int] = []
    for row in rows {
      guard case .string(let line) = row, line.unicodeScalars.count == rows.count else {
        return .fault("is not square")
      }
      for scalar in line.unicodeScalars {
        guard let key = UTFGridCode.key(of: scalar.value), keys.indices.contains(key) else {
          return .fault("has a cell without a key")
        }
        cells.append(key)
      }
    }
    guard !rows.isEmpty else { return .fault("has no cells") }
    return .grid(GridTextReader(cells: cells, side: rows.count, keys: keys))
  }

  /// Returns the content in the form that ``ArchiveVerifier/gridText`` needs.
  static func keys(of text: UnsafeRawBufferPointer) -> GridText {
    switch read(Array(text)) {
    case .grid(let grid): .keys(Array(grid.keys.dropFirst()))
    case .fault(let fault): .fault(fault)
    }
  }

  /// Returns the key at a position of the tile; `nil` for an empty cell.
  ///
  /// - Parameters:
  ///   - x: eastward from the tile's west edge, in tiles, 0 ..< 1.
  ///   - y: southward from its north edge, in tiles, 0 ..< 1.
  func key(x: Double, y: Double) -> String? {
    let column = min(max(Int(x * Double(side)), 0), side - 1)
    let row = min(max(Int(y * Double(side)), 0), side - 1)
    let key = keys[cells[row * side + column]]
    return key.isEmpty ? nil : key
  }
}
