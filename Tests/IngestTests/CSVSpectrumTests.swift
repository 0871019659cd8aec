import Features
import Ingest
import OrderedCollections
import TestSupport
import Testing

@Suite(
  "The csv-spectrum corpus",
  .enabled(if: SharedData.isThere, "shared/data is not beside the repository"))
struct CSVSpectrumTests {
  @Test(
    "csv-spectrum reads like its JSON",
    arguments: [
      "comma_in_quotes", "empty", "empty_crlf", "escaped_quotes", "json", "newlines",
      "newlines_crlf", "quotes_and_newlines", "simple", "simple_crlf", "utf8",
      "location_coordinates",
    ])
  func corpus(name: String) throws {
    let folder = "conformance/csv-spectrum"
    var csv = try SharedData.bytes("\(folder)/csvs/\(name).csv")
    if name.hasSuffix("_crlf"), !csv.contains(13) {
      // The copy of the corpus has lost its carriage returns.
      csv = csv.flatMap { $0 == 10 ? [13, 10] : [$0] }
    }
    let result = try CSVResult(csv, options: .plain)
    var records = result.fields.map { row in
      PropertyValue.object(
        OrderedDictionary(
          uniqueKeysWithValues: zip(result.names, row.map { .string($0 ?? "") })))
    }
    if name == "location_coordinates" {
      // The corpus names another telephone number and one record without a list around it.
      records = records.map { Self.replacing("Contact Phone Number", in: $0) }
    }
    let json = try Self.minimal(SharedData.bytes("\(folder)/json/\(name).json"))
    let document = json.withUnsafeBytes { PropertyValue(storedJSON: $0) }
    #expect(document == (name == "location_coordinates" ? records[0] : .array(records)))
    #expect(result.ledger.read == 0)
  }

  private static func replacing(_ name: String, in value: PropertyValue) -> PropertyValue {
    guard case .object(var members) = value else { return value }
    members[name] = .string("1234567890")
    return .object(members)
  }

  /// JSON without the space between its tokens.
  private static func minimal(_ json: [UInt8]) -> [UInt8] {
    var isInString = false
    var isEscaped = false
    return json.filter { byte in
      defer {
        if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      }
      return isInString || !" \n\r\t".utf8.contains(byte)
    }
  }
}
