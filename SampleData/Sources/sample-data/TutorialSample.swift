import Foundation

/// The cafés of docs/tutorial.md, as an office might export them: semicolons, Windows-1252, words for
/// nothing, codes with leading zeros, a record without a place and one that was typed wrong.
struct TutorialSample {
  private static let towns: [(name: String, code: Int, longitude: Double, latitude: Double)] = [
    ("München", 80_331, 11.576, 48.137), ("Köln", 50_667, 6.957, 50.938),
    ("Dresden", 1_067, 13.738, 51.051), ("Göttingen", 37_073, 9.935, 51.533),
    ("Lübeck", 23_552, 10.686, 53.866), ("Leipzig", 4_109, 12.375, 51.340),
    ("Würzburg", 97_070, 9.932, 49.792), ("Saarbrücken", 66_111, 6.996, 49.233),
  ]
  private static let names = [
    "Café Schön", "Zur Kanne", "Die Rösterei", "Bohne & Blatt", "Süßes Eck", "Café Grün",
    "Mühlencafé",
    "Kaffeebär", "Milchstraße", "Tässchen", "Altes Zollhaus", "Café Größe",
  ]

  /// Writes `cafes.csv` into a folder.
  static func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes()).write(to: folder.appendingPathComponent("cafes.csv"), options: .atomic)
  }

  /// The file in Windows-1252, whose letters of German are those of Unicode.
  static func bytes() -> [UInt8] {
    text().unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  private static func text() -> String {
    var random = RandomNumbers(seed: 1_683)
    var rows = ["Nr;Name;Straße;PLZ;Ort;Länge;Breite;Plätze"]
    for number in 1...640 {
      let choice = random.below(11)
      let town = towns[choice < towns.count ? choice : 0]
      let (x, y) = random.direction()
      let reach = 0.02 * random.exponential()
      var longitude = String(format: "%.5f", town.longitude + x * reach * 1.5)
      var latitude = String(format: "%.5f", town.latitude + y * reach)
      // Two without a place, and one whose latitude was typed with an O.
      if number == 37 || number == 402 { (longitude, latitude) = ("", "") }
      if number == 118 { latitude = latitude.replacingOccurrences(of: "0", with: "O") + "O" }
      let seats = random.below(9) == 0 ? "k.A." : String(8 + Int(random.exponential() * 30))
      let street =
        "\(random.pick(["Hauptstraße", "Gäßchen", "Am Markt", "Brückenweg"])) \(1 + random.below(90))"
      rows.append(
        "\(1000 + number);\(random.pick(names));\(street);\(String(format: "%05d", town.code));\(town.name);"
          + "\(longitude);\(latitude);\(seats)")
    }
    return rows.joined(separator: "\r\n") + "\r\n"
  }
}
