import Features
import Ingest
import Projections
import Runs

/// A source of one GeoJSON text, RFC 7946.
struct GeoJSONSource: FeatureSource {
  static let type = "geojson"
  static let version = 1
  static let locatesRecords = true
  static let keys = [SystemKey.specification]
  static let takesInlineData = true
  static let endings = [".geojson", ".json"]

  let system: ReferenceSystem?

  init(_ keyed: KeyedNode) throws(PipelineError) { system = try SystemKey.system(keyed) }

  var examination: ExaminedFormat { .geojson }

  static func sniff(_ head: UnsafeRawBufferPointer) -> Bool {
    JSONBeginning(head) == .object
  }

  func reader(of input: SourceInput, _ request: ReadRequest) throws(SourceError)
    -> any FeatureReader
  {
    if let located = request.located {
      return try located.reader(of: input, isSequence: false, GeoJSONOptions(request, system))
    }
    return GeoJSONReader(
      source: try input.stream(), options: GeoJSONOptions(request, system),
      threads: ReadingThreads(request.threads))
  }
}

/// A source of GeoJSON texts, one on each line or after each record separator (RFC 8142).
struct GeoJSONSequenceSource: FeatureSource {
  static let type = "geojsonseq"
  static let version = 1
  static let takesStandardInput = true
  static let endings = [
    ".geojsonl", ".geojsons", ".geojsonseq", ".ndjson", ".ndgeojson", ".jsonl", ".json", ".geojson",
  ]
  static let locatesRecords = true
  static let keys = [SystemKey.specification]

  let system: ReferenceSystem?

  init(_ keyed: KeyedNode) throws(PipelineError) { system = try SystemKey.system(keyed) }

  /// Creates a source of longitudes and latitudes.
  init() { system = nil }

  var examination: ExaminedFormat { .geojsonseq }

  static func sniff(_ head: UnsafeRawBufferPointer) -> Bool {
    [.object, .recordSeparator].contains(JSONBeginning(head))
  }

  func reader(of input: SourceInput, _ request: ReadRequest) throws(SourceError)
    -> any FeatureReader
  {
    if let located = request.located {
      return try located.reader(of: input, isSequence: true, GeoJSONOptions(request, system))
    }
    return GeoJSONSequenceReader(
      source: try input.stream(), options: GeoJSONOptions(request, system),
      threads: ReadingThreads(request.threads))
  }
}

extension GeoJSONOptions {
  fileprivate init(_ request: ReadRequest, _ system: ReferenceSystem?) {
    self.init(wanted: request.wanted)
    locates = request.locates
    ignoresReferenceSystem = system != nil
  }
}

extension LocatedRecords {
  fileprivate func reader(
    of input: SourceInput, isSequence: Bool, _ options: GeoJSONOptions
  ) throws(SourceError) -> any FeatureReader {
    try GeoJSONExtentReader(
      try input.stream(), isSequence: isSequence, options: options, records: self)
  }
}

/// The beginning of a text that may be JSON.
enum JSONBeginning {
  case object, array, recordSeparator, markup, other

  /// - Parameter head: the first bytes; a byte order mark and white space are skipped.
  init(_ head: UnsafeRawBufferPointer) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = head.starts(with: mark) ? head.dropFirst(3) : head[...]
    switch text.first(where: { !Self.isSpace($0) }) {
    case UInt8(ascii: "{"): self = .object
    case UInt8(ascii: "["): self = .array
    case UInt8(ascii: "<"): self = .markup
    case 0x1E: self = .recordSeparator
    default: self = .other
    }
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
