import Features
import Ingest
import OrderedCollections
import SystemPackage

/// A source as queries read it: the one place that knows how its records become a stream.
struct QuerySource {
  let definition: SourceDefinition

  /// The records from the first on.
  struct Records {
    var reader: any FeatureReader
    /// Properties that spell the geometry and are none of the record's own.
    var geometryColumns: [String]
  }

  /// The layer's part of feature keys.
  var layer: String { "" }

  /// Opens the data.
  ///
  /// - Parameter wanted: the properties that somebody will read, `nil` for all that there are.
  func open(wanted: [String]?) throws -> Records {
    let bytes = try source()
    switch definition.type {
    case .csv:
      let reader = try CSVReader(bytes, options: csvOptions(wanted: wanted))
      for name in definition.records.select ?? [] where !reader.propertyNames.contains(name) {
        throw SourceError(
          code: .configuration, file: definition.dataName,
          message: "no column named '\(name)' in \(definition.dataName). Set 'select:'.")
      }
      return Records(reader: reader, geometryColumns: reader.coordinateNames)
    case .geojson:
      let reader = GeoJSONReader(source: bytes, options: GeoJSONOptions(wanted: wanted))
      return Records(reader: reader, geometryColumns: [])
    case .geojsonseq:
      let reader = GeoJSONSequenceReader(source: bytes, options: GeoJSONOptions(wanted: wanted))
      return Records(reader: reader, geometryColumns: [])
    case .gpkg, .image, .imageSeries:
      throw PipelineError(
        .definition, "source type \(definition.type.rawValue) cannot be read as records.",
        at: definition.place)
    }
  }

  private func source() throws -> ByteSource {
    switch definition.data {
    case .file(let path):
      return try ByteSource(path: FilePath(path), name: path)
    case .inline(let node):
      let text = JSONWriter.text(node.propertyValue)
      return ByteSource(bytes: Array(text.utf8), name: node.place.description)
    case .url, .none:
      throw PipelineError(
        .definition, "the data of source '\(definition.name)' is no file.", at: definition.place)
    }
  }

  private func csvOptions(wanted: [String]?) -> CSVOptions {
    var options = CSVOptions()
    guard let csv = definition.csv else { return options }
    options.columns = csv.columns
    options.header = csv.hasHeader
    options.delimiter = csv.delimiter
    options.encoding = TextEncoding(name: csv.encoding.rawValue) ?? .utf8
    options.x = csv.x
    options.y = csv.y
    options.wanted = wanted
    options.nullValues = csv.nullValues
    for rule in csv.types {
      options.types[rule.column] = CSVOptions.ColumnType(rawValue: rule.type.rawValue)
    }
    return options
  }
}
