import Features
import OrderedCollections
import TestSupport
import Testing
import Tiling

@testable import Ingest

@Suite("Numbers with a decimal comma")
struct DecimalCommaTests {
  private func parse(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBytes(DecimalComma.parse)
  }

  @Test("a comma stands before the decimals, and digits may be in groups of three")
  func numbers() {
    let numbers: [(String, Double)] = [
      ("52,52", 52.52), ("-0,5", -0.5), ("1.234,56", 1234.56), ("1 234 567", 1_234_567),
      ("1\u{A0}234,5", 1234.5), ("1\u{202F}234", 1234), ("12'345,0", 12_345), ("1.234", 1234),
      ("+3,5", 3.5), ("123456,789", 123_456.789),
    ]
    for (text, number) in numbers { #expect(parse(text) == number, "\(text)") }
  }

  @Test("plain numbers and other texts are left alone")
  func others() {
    for text in [
      "", "12", "52.52", "0.234", "007", "1,", ",5", "1.23,4", "1.2345,6", "12.34.567", "1234.567",
      "1.234 567", "12.11.2026", "3,2,1", "1,5 m", "a,b", "-", "1..234", "0.123.456", "1,5e3",
    ] { #expect(parse(text) == nil, "\(text)") }
  }

  private static let table = """
    Ort;Breitengrad;Längengrad;Umsatz;Nr
    A;52,52;13,405;1.234,50;1.234
    B;48.137;11.575;0,5;x
    C;50,94;6,96;7;0815

    """

  private static var source: ByteSource {
    ByteSource(bytes: Array(table.utf8), name: "a.csv")
  }

  private func read(_ options: CSVOptions) throws -> FeatureBatch {
    var reader = try CSVReader(Self.source, options: options)
    var all = FeatureBatch()
    while try reader.read(into: &all), all.count < 3 {}
    #expect(reader.ledger.rejectedTotal == 0)
    return all
  }

  @Test("coordinates may have a point as well; other values are numbers, or stay texts")
  func columns() throws {
    var options = CSVOptions()
    (options.delimiter, options.decimal) = (UInt8(ascii: ";"), .comma)
    (options.x, options.y) = ("Längengrad", "Breitengrad")
    options.types = ["Nr": .string]
    let batch = try read(options)
    #expect(batch.geometry.positions.map(\.longitude) == [13.405, 11.575, 6.96])
    #expect(batch.geometry.positions.map(\.latitude) == [52.52, 48.137, 50.94])
    let columns = Dictionary(uniqueKeysWithValues: batch.columns.map { ($0.name, $0) })
    #expect((0..<3).map { columns["Umsatz"]?.number($0) } == [1234.5, 0.5, 7])
    #expect((0..<3).map { columns["Nr"]?.text($0) } == ["1.234", "x", "0815"])
    // A coordinate with a point is no thousand in its column either.
    #expect(columns["Breitengrad"]?.number(1) == 48.137)
  }

  @Test("a column that must be numbers takes commas, and refuses what is no number")
  func declared() throws {
    var options = CSVOptions()
    (options.delimiter, options.decimal) = (UInt8(ascii: ";"), .comma)
    (options.x, options.y) = ("Längengrad", "Breitengrad")
    options.types = ["Nr": .number]
    var reader = try CSVReader(Self.source, options: options)
    var batch = FeatureBatch()
    #expect(try reader.read(into: &batch))
    let column = try #require(batch.columns.first { $0.name == "Nr" })
    #expect((0..<2).map { column.number($0) } == [1234, 815])
    #expect(reader.ledger.rejectedTotal == 1)
  }

  @Test("without the option, the message says how to set it")
  func message() throws {
    var options = CSVOptions()
    options.delimiter = UInt8(ascii: ";")
    (options.x, options.y) = ("Längengrad", "Breitengrad")
    var reader = try CSVReader(Self.source, options: options)
    var batch = FeatureBatch()
    while try reader.read(into: &batch) {}
    #expect(reader.ledger.examples.first?.message.contains("decimal: \",\"") == true)
  }
}
