import JSON
import Tiling

/// The content of a record as canonical bytes: equal for equal records, whatever file they are in.
///
/// The geometry's kind, parts and positions (degrees as given, little-endian), then every property
/// with a value, sorted by name: length and text of the name, the type, length and bytes of the
/// value. Null equals missing, and the text of a CSV field is a number where it follows the
/// ``NumberGrammar``, whole ones beyond ±2⁵³ by their digits. Arrays and objects count as their minimal JSON text.
package struct RecordContent: Sendable {
  private var bytes: [UInt8] = []
  /// The positions of the columns sorted by their names in UTF-8, without those that are ignored.
  private var columns: [Int] = []

  package init() {}

  /// Sets the columns of subsequent batches.
  package mutating func adopt(_ names: [String], ignoring ignored: [String]) {
    columns = names.indices.filter { !ignored.contains(names[$0]) }
      .sorted { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) }
  }

  /// Returns the hash of a row's canonical bytes.
  ///
  /// - Parameter withGeometry: whether they begin with the geometry; `false` for the properties alone.
  /// - Complexity: O(bytes).
  package mutating func hash(
    _ batch: FeatureBatch, _ row: Int, withGeometry: Bool = true
  ) -> ContentHash {
    bytes.removeAll(keepingCapacity: true)
    if withGeometry { append(batch.geometry, row) }
    for place in columns { append(batch.columns[place], row) }
    return bytes.withUnsafeBytes { ContentHash($0) }
  }

  private mutating func append(_ geometry: GeometryColumn, _ row: Int) {
    bytes.append(geometry.kinds[row].rawValue)
    let parts = geometry.partRange(row)
    append(UInt64(parts.count))
    for part in parts {
      let positions = geometry.positionRange(part)
      bytes.append(geometry.parts[part].rawValue)
      append(UInt64(positions.count))
      for index in positions {
        append(number: geometry.positions[index].longitude)
        append(number: geometry.positions[index].latitude)
      }
    }
  }

  private mutating func append(_ column: PropertyColumn, _ row: Int) {
    let kind = column.kinds[row]
    guard kind != .missing, kind != .null else { return }
    append(UInt64(column.name.utf8.count))
    bytes += column.name.utf8
    if let number = column.number(row), !Self.keepsDigits(column, row, number) {
      bytes.append(PropertyColumn.Kind.number.rawValue)
      append(number: number)
      return
    }
    bytes.append((kind == .text ? .string : kind).rawValue)
    column.withBytes(row) {
      append(UInt64($0.count))
      bytes += $0
    }
  }

  /// Whether a number counts by its digits, since others share its Double.
  private static func keepsDigits(_ column: PropertyColumn, _ row: Int, _ number: Double) -> Bool {
    column.kinds[row] == .text && number.isBeyondExactWholes
      && column.withBytes(row) { NumberGrammar.isLargeInteger($0, value: number) }
  }

  /// Appends a number; minus zero counts as zero.
  private mutating func append(number: Double) {
    append((number == 0 ? 0 : number).bitPattern)
  }

  private mutating func append(_ word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
  }
}
