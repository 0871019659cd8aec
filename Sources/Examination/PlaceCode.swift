import Ingest

/// A system of codes for places, which a table has instead of coordinates.
struct PlaceCode {
  /// The places in words: `postal areas`.
  let places: String

  /// The words of which the name of the column has one, in lower case.
  private let names: Set<String>

  /// The codes, each whole.
  private let pattern: @Sendable (String) -> Bool

  /// Returns a sentence about the column that names the places of a table; `nil` without one.
  static func sentence(_ columns: [TableColumn], _ records: ArraySlice<[String]>) -> String? {
    for code in all {
      for column in columns where !code.names.isDisjoint(with: words(column.name)) {
        let values = records.compactMap {
          $0.indices.contains(column.place) && !$0[column.place].isEmpty ? $0[column.place] : nil
        }
        guard values.count > 1, values.count(where: code.pattern) * 10 >= values.count * 9 else {
          continue
        }
        return
          "Column '\(column.name)' has the codes of \(code.places): join the table to their areas."
      }
    }
    return nil
  }

  private static func words(_ name: String) -> [String] {
    let words = CoordinateName.words(of: name)
    return words + [words.joined()]
  }

  private init(_ places: String, _ names: String, _ pattern: @escaping @Sendable (String) -> Bool) {
    self.places = places
    self.names = Set(names.split(separator: " ").map(String.init))
    self.pattern = pattern
  }

  private static func areDigits(_ lengths: Int...) -> @Sendable (String) -> Bool {
    { text in lengths.contains(text.count) && text.allSatisfy(\.isNumber) }
  }

  private static func areCapitals(_ letters: Int, more: ClosedRange<Int>)
    -> @Sendable (String) -> Bool
  {
    { text in
      text.prefix(letters).allSatisfy { $0.isASCII && $0.isUppercase } && text.count >= letters
        && more.contains(text.count - letters)
        && text.dropFirst(letters).allSatisfy { $0.isNumber || $0.isUppercase }
    }
  }

  /// Digits may have lost their leading zero.
  private static let all = [
    PlaceCode("NUTS regions", "nuts geo nutsid nutscode", areCapitals(2, more: 1...3)),
    PlaceCode(
      "countries (ISO 3166)", "iso country land pays país pais paese code geo isoa adm",
      areCapitals(3, more: 0...0)),
    PlaceCode(
      "countries (ISO 3166)", "iso country land pays país pais paese isoa",
      areCapitals(2, more: 0...0)),
    PlaceCode("areas of British statistics", "code gss geography areacode lsoa msoa oa lad ward") {
      areCapitals(1, more: 8...8)($0) && $0.dropFirst().allSatisfy(\.isNumber)
    },
    PlaceCode(
      "counties, tracts or blocks of the US census", "fips geoid geo statefp countyfp cntyfips",
      {
        areDigits(4, 5, 10, 11, 12)(
          String($0.drop { !$0.isNumber }.split(separator: "S").last ?? ""))
      }),
    PlaceCode("communes (INSEE)", "insee codgeo depcom com codeinsee") {
      ($0.count == 5 || $0.count == 4) && $0.dropFirst(2).allSatisfy(\.isNumber)
    },
    PlaceCode(
      "municipalities or districts (AGS)",
      "ags ars gemeindeschlüssel gemeindeschluessel kreisschlüssel kreisschluessel gkz kgs rs",
      areDigits(4, 5, 7, 8, 11, 12)),
    PlaceCode(
      "municipalities",
      "istat kommunenr kommunnummer gemeindenummer bfs codine municipio lau gemeentecode kommune teryt",
      { $0.contains(where: \.isNumber) && !$0.contains(" ") && $0.count <= 12 }),
    PlaceCode(
      "postal areas",
      "zip zipcode plz postal postcode postleitzahl postalcode codepostal codigopostal cap cp zcta",
      { $0.contains(where: \.isNumber) && $0.count <= 10 }),
  ]
}
