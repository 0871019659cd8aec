import Examination
import Ingest
import Testing

/// A tiny source with one thing wrong with it.
struct Trap: CustomTestStringConvertible, Sendable {
  var kind: Finding.Kind
  var file = "places.csv"
  var bytes: [UInt8]
  var lines = ["type: csv"]

  init(
    _ kind: Finding.Kind, _ text: String, file: String = "places.csv",
    lines: [String] = ["type: csv"]
  ) {
    self.kind = kind
    self.file = file
    self.lines = lines
    bytes = Array(text.utf8)
  }

  var testDescription: String { "\(kind.rawValue): \(lines.joined(separator: ", "))" }

  /// A trap in a GeoJSON file with these features.
  static func geojson(
    _ kind: Finding.Kind, _ features: [String], head: String = "", type: String = "geojson"
  ) -> Trap {
    Trap(
      kind,
      "{\"type\": \"FeatureCollection\", \(head)\"features\": [\n"
        + features.joined(separator: ",\n") + "\n]}\n",
      file: "places.json", lines: ["type: \(type)"])
  }

  /// One feature on a line.
  static func feature(_ geometry: String, _ properties: String = "{\"name\": \"a\"}") -> String {
    "{\"type\": \"Feature\", \"geometry\": \(geometry), \"properties\": \(properties)}"
  }

  static func point(_ x: Double, _ y: Double) -> String {
    "{\"type\": \"Point\", \"coordinates\": [\(x), \(y)]}"
  }

  /// Lines of a table: a header, then one line for each of 30 places in Europe.
  static func table(_ header: String, _ line: (Int) -> String) -> String {
    ([header] + (0..<30).map(line)).joined(separator: "\n") + "\n"
  }

  static func longitude(_ row: Int) -> String { "\(Double(row) * 0.37 - 2.125)" }
  static func latitude(_ row: Int) -> String { "\(Double(row) * 0.21 + 41.875)" }

  /// A place in Europe.
  static func place(_ row: Int) -> String { "\(longitude(row)),\(latitude(row))" }
}

// MARK: - Traps that keys of the pipeline mend

extension Trap {
  static let mendable: [Trap] = tables + encodings + types

  private static let tables: [Trap] = [
    Trap(
      .wrongDelimiter, table("lng;lat;name") { "\(longitude($0));\(latitude($0));\"a;\($0)\"" }),
    Trap(
      .wrongDelimiter, table("lng\tlat\tname") { "\(longitude($0))\t\(latitude($0))\tn, \($0)" }),
    Trap(
      .titleRows,
      "Shops of the region\nas of May, June\n\n" + table("lng,lat,name") { "\(place($0)),n\($0)" }),
    Trap(
      .titleRows, "Shops,,\r\n" + table("name,lng,lat") { "n\($0),\(place($0))" },
      lines: ["type: csv", "delimiter: \",\""]),
    Trap(
      .titleRows,
      "Shops\n" + table("lng;lat;name") { "\(longitude($0));\(latitude($0));n\($0)" }),
    Trap(.recordAsHeader, table(place(31) + ",x0") { "\(place($0)),x\($0)" }),
    Trap(
      .headerAsRecord, table("lng,lat,name") { "\(place($0)),n\($0)" },
      lines: ["type: csv", "columns: [lng, lat, name]"]),
    Trap(
      .coordinateColumns,
      table("id,lat_wgs84,lon_wgs84") { "\($0),\(latitude($0)),\(longitude($0))" }
    ),
    Trap(
      .coordinateColumns, table("name,geoPosX,geoPosY") { "n\($0),\(place($0))" }),
    Trap(
      .coordinateColumns,
      table("X,Y,Latitude,Longitud") {
        "\(900_000 + $0).5,\(1_200_000 + $0),\(latitude($0)),\(longitude($0))"
      }),
    Trap(
      .coordinateColumns, table("name,breite,laenge") { "n\($0),\(latitude($0)),\($0 * 5).5" }),
    Trap(
      .swappedCoordinates, table("lat,lng,name") { "\(-70.5 - Double($0)),\(latitude($0)),n\($0)" }),
    Trap(
      .swappedCoordinates,
      table("latitude,longitude,n") { "\(latitude($0)),\(longitude($0)),\($0)" },
      lines: ["type: csv", "x: latitude", "y: longitude"]),
    Trap(.nullIsland, table("lng,lat,name") { $0 % 9 == 4 ? "0,0,n\($0)" : "\(place($0)),n\($0)" }),
    Trap(
      .nullIsland, table("lng,lat,name") { $0 % 9 == 4 ? "0.0,-0.001,n" : "\(place($0)),n\($0)" },
      lines: ["type: csv", "where: name LIKE 'n%'"]),
    Trap(
      .duplicateIDs, table("lng,lat,key") { "\(place($0)),k\($0 % 28)" },
      lines: ["type: csv", "id: key"]),
    Trap(.rejectedRecords, table("lng,lat,name") { $0 == 7 ? "x,2,n" : "\(place($0)),n\($0)" }),
    Trap(.rejectedRecords, table("lng,lat,name") { $0 == 7 ? "1,2,n,n" : "\(place($0)),n\($0)" }),
    Trap(
      .rejectedRecords,
      table("lng,lat,name,size") { "\(place($0)),n\($0)" + ["", ",\($0)", ",\($0),x"][$0 % 3] }),
    Trap(.constantColumns, table("lng,lat,name,land,none") { "\(place($0)),n\($0),us," }),
    Trap(
      .leadingZeros,
      table("lng,lat,zip") { "\(place($0)),\($0 % 2 == 0 ? "0\($0 + 1000)" : "\($0 + 10000)")" }),
    Trap(.namedNulls, table("lng,lat,size") { "\(place($0)),\($0 % 9 == 2 ? "N/A" : "\($0)")" }),
    Trap(
      .namedNulls, table("lng,lat,size") { "\(place($0)),\($0 % 9 == 2 ? "\\N" : "\($0)")" },
      lines: ["type: csv", "nullValues: [NA]"]),
  ]

  private static let encodings: [Trap] = {
    let text = table("lng,lat,name") { "\(place($0)),Müllerstraße \($0) – é" }
    func encoded(_ lines: [String], _ encode: (Unicode.Scalar) -> [UInt8]) -> Trap {
      var trap = Trap(.wrongEncoding, "", lines: lines)
      trap.bytes = text.unicodeScalars.flatMap(encode)
      return trap
    }
    let csv = ["type: csv"]
    return [
      encoded(csv) { $0.value < 256 ? [UInt8($0.value)] : [UInt8(ascii: "-")] },
      encoded(csv) { $0.value < 256 ? [UInt8($0.value)] : [0x96] },
      encoded(csv) { [UInt8($0.value & 255), UInt8($0.value >> 8)] },
      encoded(csv) { [UInt8($0.value >> 8), UInt8($0.value & 255)] },
      encoded(csv + ["encoding: latin1"]) { Array(String($0).utf8) },
    ]
  }()

  private static let types: [Trap] = {
    let features = (0..<30).map { feature(point(Double($0), 50.5), "{\"name\": \"n\($0)\"}") }
    let collection = geojson(.wrongType, features)
    let sequence = features.joined(separator: "\n") + "\n"
    return [
      Trap(.wrongType, String(decoding: collection.bytes, as: UTF8.self)),
      Trap(.wrongType, sequence),
      Trap(.wrongType, sequence, lines: ["type: geojson"]),
      geojson(.wrongType, features, type: "geojsonseq"),
      Trap(
        .wrongType, table("lng;lat;name") { "\(longitude($0));\(latitude($0));n\($0)" },
        lines: ["type: geojson"]),
    ]
  }()
}

// MARK: - Traps that only the file's owner can mend

extension Trap {
  static let others: [Trap] = coordinates + properties + shapes

  private static let coordinates: [Trap] = [
    Trap(.radians, table("lng,lat,name") { "\(Double($0) / 50 - 0.24),0.\($0 + 12)5,n\($0)" }),
    Trap(.metres, table("x,y,name") { "\(800_000 + $0 * 71).5,\(6_500_000 + $0 * 37).25,n\($0)" }),
    Trap(
      .scaledDegrees, table("x,y,n") { "\(8_500_000 + $0 * 71),\(47_300_000 + $0 * 37),n\($0)" }),
    Trap(.scaledDegrees, table("x,y,n") { "\(85_000_000 + $0),\(473_000_000 + $0 * 37),n\($0)" }),
    Trap(
      .commaDecimals, table("lng;lat;name") { "8,\($0 + 10);47,\($0 + 10);n\($0)" },
      lines: ["type: csv", "delimiter: ';'"]),
    Trap(.wholeDegrees, table("lng,lat,name") { "\($0 + 10),\($0 - 15),n\($0)" }),
    Trap(.longitudeBeyond180, table("lng,lat,name") { "\($0 + 170).5,47.5,n\($0)" }),
    Trap(
      .crowdedPosition,
      table("lng,lat,name") { "\($0 % 5 == 0 ? place($0) : "-98.5795,39.8283"),n\($0)" }),
    Trap(.noGeometry, table("lng,lat,name") { ",,n\($0)" }),
    Trap(.beyondMap, table("lng,lat,name") { "\($0 == 4 ? "8.5,86.5" : place($0)),n\($0)" }),
    Trap(.noRecords, "lng,lat,name\n"),
    Trap(.coordinateColumns, table("name,size") { "n\($0),\($0)" }),
    .geojson(.swappedCoordinates, (0..<9).map { feature(point(45.5, -90.5 - Double($0))) }),
    .geojson(
      .swappedCoordinates,
      (0..<30).map { row in
        let (x, y) = (Double(row) / 90 - 90.2, 29.9 + Double(row) / 300)
        return feature(row % 7 == 3 ? point(y, x) : point(x, y))
      }),
    .geojson(.metres, (0..<9).map { feature(point(945_000.5, 6_500_000.5 + Double($0))) }),
  ]

  private static let properties: [Trap] = [
    Trap(.repeatedRecords, table("lng,lat,name") { "\(place($0 % 28)),n\($0 % 28)" }),
    Trap(.mojibake, table("lng,lat,name") { "\(place($0)),Cafe\($0 % 7 == 3 ? "Ã©" : "é") \($0)" }),
    Trap(.mojibake, table("lng,lat,name") { "\(place($0)),\($0 % 7 == 3 ? "itâ€™s" : "–") \($0)" }),
    Trap(.timesWithoutZone, table("lng,lat,t") { "\(place($0)),2014-01-\($0 + 1)T06:0\($0 % 9)" }),
    Trap(.timesWithoutZone, table("lng,lat,t") { "\(place($0)),1/\($0 + 1)/2014 6:15:00" }),
    .geojson(
      .textNumbers, (0..<30).map { feature(point(8.5, 47), "{\"size\": \"\($0)\", \"n\": \($0)}") }),
    .geojson(.noProperties, (0..<9).map { feature(point(8.5, Double($0)), "null") }),
  ]

  private static let shapes: [Trap] = {
    func ring(_ positions: String) -> String {
      feature("{\"type\": \"Polygon\", \"coordinates\": [[\(positions)]]}")
    }
    let right = ring("[1.5, 1], [3, 1], [3, 3], [1.5, 1]")
    return [
      .geojson(.ringWinding, [right, ring("[1.5, 1], [3, 3], [3, 1], [1.5, 1]")]),
      .geojson(.mixedGeometry, [right, feature(point(2.5, 2))]),
      .geojson(.wrongBounds, [right], head: "\"bbox\": [1, 1, 2, 4], "),
      .geojson(
        .oldReferenceSystem, [right],
        head: "\"crs\": {\"type\": \"name\", \"properties\": {\"name\": \"EPSG:4326\"}}, "),
      .geojson(
        .referenceSystem, [right],
        head: "\"crs\": {\"type\": \"name\", \"properties\": {\"name\": \"EPSG:2056\"}}, "),
      .geojson(.rejectedRecords, [right, ring("[1.5, 1], [3, 1], [1.5, 1]")]),
      .geojson(.openRings, [right, ring("[1.5, 1], [3, 1], [3, 3], [1, 2]")]),
      .geojson(.turnedEdges, [right, ring("[-170, 1], [170, 1], [170, 9], [-170, 9], [-170, 1]")]),
      .geojson(.unreadable, [right, "{\"type\": \"Feature\", \"geometry\": nil}"]),
      .geojson(.noRecords, []),
    ]
  }()
}
