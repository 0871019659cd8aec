import Features
import Ingest
import JSON

/// A table of a well-known publisher that has no line of names.
struct KnownTable {
  /// The table in words.
  let words: String
  /// The names of its columns, as the publisher describes them.
  let columns: [String]

  /// Recognizes a table by a record: its number of fields, and those that hold degrees.
  init?(_ record: [String]) {
    func isDegrees(_ place: Int) -> Bool {
      var text = record[place]
      return text.withUTF8 { NumberGrammar.parseCoordinate(UnsafeRawBufferPointer($0)) } != nil
    }
    let known = Self.all.first { table in
      guard record.count == table.columns.count else { return false }
      return ["latitude", "longitude"].allSatisfy { name in
        table.columns.firstIndex(of: name).map(isDegrees) ?? false
      }
    }
    guard let known else { return nil }
    self = known
  }

  private init(_ words: String, _ columns: String) {
    self.words = words
    self.columns = columns.split(separator: " ").map(String.init)
  }

  private static let all = [
    KnownTable(
      "GeoNames",
      "geonameid name asciiname alternatenames latitude longitude feature_class feature_code "
        + "country_code cc2 admin1_code admin2_code admin3_code admin4_code population elevation dem "
        + "timezone modification_date"),
    KnownTable(
      "the postal codes of GeoNames",
      "country_code postal_code place_name admin_name1 admin_code1 admin_name2 admin_code2 "
        + "admin_name3 admin_code3 latitude longitude accuracy"),
  ]
}
