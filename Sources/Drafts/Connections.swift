import Examination
import Ingest

/// The columns of a table in which each row has two places, an origin and a destination.
struct Connections: Hashable {
  /// The columns of the origin; `nil` where it is the record's geometry.
  var origin: Pair?

  var destination: Pair

  struct Pair: Hashable {
    var x: String
    var y: String
  }

  /// - Parameters:
  ///   - columns: all columns of the source.
  ///   - hasGeometry: whether records have a geometry beside their columns.
  /// - Returns: `nil` unless the names tell both places.
  init?(_ columns: [ColumnProfile], hasGeometry: Bool) {
    let degrees = columns.filter {
      $0.numbers * 10 >= $0.values * 9 && $0.values > 0 && $0.fractions > 0
        && $0.minimum >= -180 && $0.maximum <= 180
    }
    func pair(_ meaning: ColumnWords.Meaning, _ digit: Character) -> Pair? {
      let names = degrees.map(\.name).filter {
        ColumnWords($0).mean(meaning) || $0.last == digit && $0.dropLast().last?.isNumber == false
      }
      return CoordinateName.pair(among: names).map { Pair(x: names[$0.x], y: names[$0.y]) }
    }
    let origin = pair(.origin, "1")
    guard let destination = pair(.destination, "2"), origin != nil || hasGeometry else {
      return nil
    }
    (self.origin, self.destination) = (hasGeometry ? nil : origin, destination)
  }

  /// The names of all its columns.
  var names: [String] { [origin, destination].compactMap(\.self).flatMap { [$0.x, $0.y] } }
}
