import Features
import Testing
import Tiling

@testable import Ingest

@Suite("Degrees, minutes and seconds")
struct SexagesimalDegreesTests {
  private func angle(_ text: String) -> SexagesimalDegrees? {
    var text = text
    return text.withUTF8 { SexagesimalDegrees(UnsafeRawBufferPointer($0)) }
  }

  @Test(
    "degrees with signs or a letter are read as people write them",
    arguments: [
      ("48°51'24\"N", 48.85666666666667), ("48° 51′ 24″ N", 48.85666666666667),
      ("2°21'03.6''W", -2.351), ("S33°52.5'", -33.875), ("33 52 30 S", -33.875),
      ("151.2E", 151.2), ("33.9s", -33.9), ("-3.5°", -3.5), ("48.85° N", 48.85),
      ("0°0'0\"E", 0), ("12:30:00N", 12.5), ("179°59’59.99”W", -179.99999722222222),
    ])
  func read(text: String, value: Double) {
    #expect(angle(text)?.value == value)
  }

  @Test(
    "numbers and doubtful texts are none",
    arguments: [
      "48.85", "-2", "", "N", "48°60'N", "48°51'61\"N", "48.5°30'N", "-33.9S", "48°N51'", "2.35O",
      "48,85N", "1e3N", "48 51 24", "12:30:00", "48°51'24\"NN", "NaN", "48°51'24\"12N", "° N",
    ])
  func refused(text: String) {
    #expect(angle(text) == nil)
  }

  @Test("a table with such coordinates is read, quotes of seconds doubled or not")
  func table() throws {
    let text = """
      lat,lon
      48°51'24"N,2°21'03"E
      "40°26'46.8""N","79°58'56.4""W"
      33.9S,151.2E
      12.5,13

      """
    let result = try CSVResult(text, options: CSVOptions())
    #expect(result.ledger.rejectedTotal == 0)
    #expect(
      result.points == [
        LngLat(longitude: 2.3508333333333336, latitude: 48.85666666666667),
        LngLat(longitude: -79.98233333333334, latitude: 40.44633333333333),
        LngLat(longitude: 151.2, latitude: -33.9), LngLat(longitude: 13, latitude: 12.5),
      ])
  }

  @Test(
    "two coordinates in one text may be such, and letters tell their order",
    arguments: [
      ("48°51'24\"N, 2°21'03.6\"E", 48.85666666666667, 2.351, GeometryText.Order.latlng),
      ("2°21'03.6\"E 48°51'24\"N", 2.351, 48.85666666666667, .lnglat),
      ("33° 52' 30\" S 151° 12' E", -33.875, 151.2, .latlng), ("48.2N 16.5", 48.2, 16.5, .latlng),
      ("48.2;16.5", 48.2, 16.5, nil), ("(48.5°, -16.5°)", 48.5, -16.5, nil),
    ])
  func pairs(text: String, first: Double, second: Double, order: GeometryText.Order?) {
    let pair = CoordinatePair(text)
    #expect(pair?.first == first && pair?.second == second && pair?.order == order)
  }

  @Test(
    "two latitudes are no position", arguments: ["48.2N, 16.5N", "2.35E 3E", "48.2 N", "1, 2, 3"])
  func noPairs(text: String) {
    #expect(CoordinatePair(text) == nil)
  }

  @Test(
    "a coordinate that looks like a number is refused with what is hard to see",
    arguments: [
      ("−2.35", "'−2.35'; its minus sign is U+2212, where '-' is needed: sed 's/−/-/g' changes it"),
      (
        "2.35\u{A0}",
        "'2.35\\u{00A0}'; U+00A0 (no-break space) belongs to it: sed $'s/\\u00A0//g' removes it"
      ),
      (
        "'2.35'",
        "''2.35''; its quotes, U+0027, are part of the value: fields stand between '\"' or nothing"
      ),
      (
        "\" \"\"2.35\"\"\"",
        "' \"2.35\"'; its quotes, U+0022, are part of the value: fields stand between '\"' or nothing"
      ),
      ("48.85N", "'48.85N'; N and S belong to a latitude: exchange 'x' and 'y'"),
      ("2.35O", "'2.35O'; O is west in some languages and east in others: write W or E"),
      ("far", "'far'"),
    ])
  func shown(field: String, words: String) throws {
    let result = try CSVResult("lat,lon\n1,\(field)\n", options: CSVOptions())
    #expect(result.ledger.examples.map(\.message) == ["the longitude is no number: \(words)"])
  }
}
