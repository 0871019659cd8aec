/// The registry of the formats of records, which finds the reader for a source's `type`.
package enum SourceRegistry {
  /// All readers, in the order in which messages list the formats; of two versions of one format
  /// the later one is the default.
  static let types: [any FeatureSource.Type] = [
    CSVSource.self,
    GeoJSONSource.self,
    GeoJSONSequenceSource.self,
    GeoPackageSource.self,
    OGRSource.self,
  ]

  /// The names of the formats, each once.
  static var names: [String] {
    var names: [String] = []
    for type in types where !names.contains(type.type) { names.append(type.type) }
    return names
  }

  /// Returns the values that `type` may have for a format: the name, and the name with each
  /// version.
  static func spellings(of name: String) -> [String] {
    [name] + types.filter { $0.type == name }.map { "\(name).\($0.version)" }
  }

  /// Returns the reader of `csv` or `csv.1`; `nil` for anything but a format of records.
  static func type(_ text: String) -> (any FeatureSource.Type)? {
    types.last { text == $0.type || text == "\($0.type).\($0.version)" }
  }

  /// Returns the formats whose first bytes look like these, of those that have such bytes.
  package static func sniffed(_ head: [UInt8]) -> [String] {
    head.withUnsafeBytes { bytes in
      types.filter { $0 != OGRSource.self && $0.sniff(bytes) }.map { $0.type }
    }
  }
}
