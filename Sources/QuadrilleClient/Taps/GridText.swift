import Foundation

/// The text of a UTFGrid, which is not trusted.
struct GridText {
  /// The rows of cells, from the north.
  private let rows: [[UInt32]]

  /// The keys by number; the first is "" for an empty cell.
  private let keys: [String]

  private struct Document: Decodable {
    let grid: [String]
    let keys: [String]
  }

  /// - Parameter bytes: JSON with `grid` and `keys`.
  init?(_ bytes: [UInt8]) {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else {
      return nil
    }
    rows = document.grid.map { $0.unicodeScalars.map(\.value) }
    keys = document.keys
    guard !rows.isEmpty, rows.allSatisfy({ $0.count == rows.count }) else { return nil }
  }

  /// Returns the key at a place of the tile; `nil` for an empty cell.
  ///
  /// - Parameters:
  ///   - x: eastward from the tile's west edge, in tiles, 0 ..< 1.
  ///   - y: southward from its north edge, in tiles, 0 ..< 1.
  func key(x: Double, y: Double) -> String? {
    func index(_ share: Double) -> Int {
      min(max(Int(share * Double(rows.count)), 0), rows.count - 1)
    }
    let code = rows[index(y)][index(x)]
    // The codes leave out the quotation mark and the backslash.
    let number = Int(code) - 32 - (code > 34 ? 1 : 0) - (code > 92 ? 1 : 0)
    guard keys.indices.contains(number), !keys[number].isEmpty else { return nil }
    return keys[number]
  }
}
