import Failures
import Features
import Ingest
import Testing

@Suite("A column that the data does not have")
struct UnknownColumnTests {
  private let place = DocumentPlace(file: "hotels.yml", line: 12, column: 5)

  @Test("is named with those that are there and the key to set")
  func sentence() {
    func message(_ unknown: UnknownColumn) -> String {
      SourceError(unknown, file: "a.csv", line: 1).description
    }
    #expect(
      message(UnknownColumn(.column("lon"), " in a.csv", known: ["lng", "lat"], key: "x"))
        == "a.csv:1: no column named 'lon' in a.csv; columns are lng, lat. Set 'x:'.")
    #expect(
      message(UnknownColumn(.property("n"), " in a.csv", known: ["m"], key: "id"))
        == "a.csv:1: no property named 'n' in a.csv; properties are m. Set 'id:'.")
    #expect(
      message(UnknownColumn(.coordinate("latitude", ["lat", "y"]), " in a.csv", known: ["a"]))
        == "a.csv:1: no latitude column (lat or y) in a.csv; columns are a.")
    #expect(
      message(UnknownColumn(.column("n"), " in a.csv", key: "select", keyPlace: place))
        == "a.csv:1: no column named 'n' in a.csv. Set 'select:' at hotels.yml:12:5.")
    let many = (1...25).map { "c\($0)" }
    #expect(
      message(UnknownColumn(.property("n"), " in a.csv", known: many, key: "id"))
        .hasSuffix("c19, c20 and 5 more. Set 'id:'."))
  }

  @Test("gets the place of the key from the run, and keeps what was added to its sentence")
  func placed() {
    var error = SourceError(
      UnknownColumn(.column("n\u{1B}"), " in a.csv", key: "select"), file: "a.csv")
    error.message += " The file begins like geojson."
    let placed = error.placingKey { $0 == "select" ? place : nil }
    #expect(
      placed.message.hasSuffix(
        "in a.csv. Set 'select:' at hotels.yml:12:5. The file begins like geojson."))
    #expect(placed.placingKey { _ in nil } == placed)
    #expect(error.placingKey { _ in nil } == error)
    let other = SourceError(code: .badData, file: "a.csv", message: "no.")
    #expect(other.placingKey { _ in place } == other)
  }
}
