import Features
import Ingest
import OrderedCollections
import TestSupport
import Testing
import Tiling

@Suite(
  "A real CSV file",
  .enabled(if: SharedData.isThere, "shared/data is not beside the repository"))
struct CSVRealFilesTests {
  /// A file, how to read it, and what must become of its records.
  struct File: CustomTestStringConvertible, Sendable {
    var name: String
    var options = CSVOptions()
    var used: Int
    var noGeometry = 0
    var beyondMap = 0
    var rejected: [RejectReason: Int] = [:]
    var example: String?

    var testDescription: String { name }
  }

  /// Counts made with Python's csv module and the JSON number grammar as a regular expression.
  static let files = [
    File(
      name: "ufo_sightings.csv", used: 80_312,
      // 570 British longitudes are written -.783333, which counts as a coordinate.
      rejected: [.invalidCoordinate: 1, .longitudeOutOfRange: 19],
      example: "9418:0 longitude_out_of_range: longitude -93201.0 is beyond ±540°"),
    File(name: "uk_accidents_lnglat.csv", used: 140_029, noGeometry: 27),
    File(
      name: "openflights_airports.dat",
      options: .headerless(
        "id", "name", "city", "country", "iata", "icao", "lat", "lng", "altitude", "utc", "dst",
        "zone", "type", "source", hasGeometry: true
      ).with { $0.nullValues = ["\\N"] },
      used: 7696, beyondMap: 2),
    File(
      name: "us_zipcodes.csv", options: CSVOptions().with { $0.types = ["zip_code": .string] },
      used: 42_049),
    File(name: "nz_addresses_10k.csv", used: 10_000),
    File(
      name: "radio_stations.tsv", options: CSVOptions().with { $0.delimiter = 9 }, used: 25_653),
    File(
      name: "seed_rows_known.csv",
      options: .headerless("lng", "lat", "name", "country", "phone", hasGeometry: true), used: 2),
  ]

  private func read(_ file: File) throws -> IngestedSource {
    var reader = try CSVReader(SharedData.open("points/\(file.name)"), options: file.options)
    var options = IngestOptions()
    options.tolerance = 1000
    return try IngestStage.read(&reader, file: file.name, options: options)
  }

  @Test("a real CSV file is read with every row accounted for", arguments: files)
  func accounted(file: File) throws {
    let source = try read(file)
    let ledger = source.ledger
    #expect(ledger.balances)
    #expect(ledger.used == file.used)
    #expect(ledger.noGeometry == file.noGeometry)
    #expect(ledger.beyondMap == file.beyondMap)
    #expect(ledger.rejected == file.rejected)
    #expect(ledger.filtered == 0 && ledger.limited == 0)
    #expect(source.points.count == file.used)
    #expect(source.shapes.count == 0)
    #expect(source.points.columns.allSatisfy { $0.count == file.used })
    let example = ledger.examples.first.map {
      "\($0.line):\($0.column) \($0.reason.rawValue): \($0.message)"
    }
    #expect(example == file.example)
  }

  @Test("a real CSV file keeps leading zeros, quoted commas and the meaning of \\N")
  func values() throws {
    let zips = try read(Self.files[3]).points
    #expect(zips.columns[0].value(0) == .string("00501"))
    let airports = try read(Self.files[2]).points
    let nulls = airports.columns[4].kinds.filter { $0 == .null }.count
    #expect(nulls > 1000)
    #expect(airports.columns[8].value(0) == .number(5282))
    #expect(airports.columns[1].string(0) == "Goroka Airport")
    let names = airports.columns[1]
    #expect((0..<names.count).contains { names.string($0)?.contains(", ") == true })
  }
}
