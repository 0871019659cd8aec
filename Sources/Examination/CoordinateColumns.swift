import Ingest

extension CoordinateWords {
  /// Returns the columns of numbers whose names say that they are longitude and latitude, or x and y,
  /// else two neighbours that are degrees by their values; `nil` where there are none.
  package static func coordinates(among columns: [ColumnProfile]) -> (x: String, y: String)? {
    let numbers = columns.filter { $0.numbers * 5 >= $0.values * 4 && $0.values > 0 }.map(\.name)
    if let (x, y) = CoordinateName.pair(among: numbers) { return (numbers[x], numbers[y]) }
    func areDegrees(_ column: ColumnProfile) -> Bool {
      let decimals = column.firstValue.split(separator: ".").dropFirst().first?.count ?? 0
      return numbers.contains(column.name) && decimals >= TableColumn.exact
        && max(abs(column.minimum), abs(column.maximum)) <= 180
    }
    return zip(columns, columns.dropFirst()).first { areDegrees($0) && areDegrees($1) }
      .map { $0.maximum > 90 || $1.maximum <= 90 ? ($0.name, $1.name) : ($1.name, $0.name) }
  }
}
