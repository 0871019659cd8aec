import Definition
import Examination
import Features
import Ingest
import OrderedCollections
import Unpacking

extension SourceDrafter {
  /// Adds to a file of a feed what others beside it tell: to the ways of public transport (GTFS) the
  /// routes that run there, by way of a trip; to the stations of rented bikes (GBFS) their present state.
  /// Other sources stay as they are.
  func withFeed(
    _ keys: OrderedDictionary<String, PropertyValue>
  ) -> OrderedDictionary<String, PropertyValue> {
    guard case .string(let path)? = keys["data"] else { return keys }
    var keys = keys
    if let files = ZipContents.besides(path, named: "shapes.txt", "trips.txt", "routes.txt"),
      let trips = join(files[0], "shape_id", ["route_id"]),
      let routes = join(files[1], "route_id", Self.routeColumns)
    {
      keys["join"] = .array([.object(trips), .object(routes)])
    } else if let files = ZipContents.besides(
      path, named: "station_information.json", "station_status.json"),
      let status = join(files[0], "station_id", Self.statusColumns)
    {
      keys["type"] = .string(CSVSource.type)
      keys["join"] = .object(status)
    }
    return keys
  }

  /// The column of the colours of routes, six hexadecimal digits.
  static let routeColor = "route_color"

  private static let routeColumns = [
    "route_short_name", "route_long_name", "route_type", routeColor,
  ]
  private static let statusColumns = [
    "num_bikes_available", "num_docks_available", "is_renting", "last_reported",
  ]

  /// Returns a join with some columns of a table; `nil` for a table without them, or that is not there.
  private func join(
    _ table: String, _ key: String, _ columns: [String]
  ) -> OrderedDictionary<String, PropertyValue>? {
    let source: OrderedDictionary<String, PropertyValue> = [
      "type": .string(CSVSource.type), "data": .string(table),
    ]
    guard let names = try? tableReader("table", source).allNames, names.contains(key) else {
      return nil
    }
    let shown = columns.filter(names.contains)
    var join: OrderedDictionary<String, PropertyValue> = [
      "data": .string(table), "on": .string(key),
      "select": .array(shown.map(PropertyValue.string)), "onDuplicate": .string("first"),
    ]
    if shown.contains(Self.routeColor) {
      join["types"] = .object([Self.routeColor: .string("string")])
    }
    return join
  }
}
