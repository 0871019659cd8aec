package import Runs
import Definition
import Files
import Ingest
import SystemPackage

/// A file or folder of data that a user names instead of a pipeline.
package struct DataFile: Hashable, Sendable {
  /// The reader that a file is for.
  package enum Kind: Hashable, Sendable {
    /// Records of a type of `SourceRegistry`; the reader's examination corrects a wrong one.
    case records(String)
    /// Records in one or more layers, for the type `ogr`.
    case layers
    /// An SQLite database, probably a GeoPackage.
    case database
    case image
    case folder
  }

  /// The path as the user entered it.
  package let path: String

  package let kind: Kind

  /// Recognizes a file by its first bytes, and text by its name.
  ///
  /// - Throws: ``PipelineError`` `missingInput` where there is no such file.
  package init(_ path: String) throws(PipelineError) {
    self.path = path
    guard let status = FileStatus(FilePath(path)) else {
      throw PipelineError(
        .missingInput, "no such file. Check the path.", at: DocumentPlace(file: path))
    }
    guard status.kind != .folder else {
      kind = .folder
      return
    }
    let head = SourceInput.file(FilePath(path), name: path).head()
    switch FileSignature(head) {
    case .png, .jpeg: kind = .image
    case let signature? where signature.isConverted: kind = .layers
    default:
      if Self.isConverted(path, head) {
        kind = .layers
        return
      }
      kind =
        head.starts(with: Array("SQLite format 3\0".utf8))
        ? .database : .records(Self.type(ofName: path) ?? "csv")
    }
  }

  /// Whether a path names data rather than a pipeline or an archive, so that a pipeline is missing.
  package static func isData(_ path: String) -> Bool {
    let name = path.lowercased()
    guard !name.hasSuffix(".mbtiles"), !name.hasSuffix(".pmtiles"), !name.hasSuffix(".yml"),
      !name.hasSuffix(".yaml"), !name.hasSuffix(".scfg"), let file = try? DataFile(path)
    else { return false }
    switch file.kind {
    case .database, .image, .layers: return true
    case .folder: return false
    case .records:
      if name.hasSuffix(".json") { return holdsFeatures(path) }
      // Text in a file of this name may be a pipeline.
      return !name.hasSuffix(".txt") && type(ofName: path) != nil
    }
  }

  /// Returns the error for data where a pipeline is needed.
  ///
  /// - Parameter path: the data.
  package static func refusal(of path: String) -> PipelineError {
    PipelineError(
      .definition,
      "this is data, not a pipeline. Draft one with: quadrille new \(path); or look at the data with: "
        + "quadrille preview \(path)", at: DocumentPlace(file: path))
  }

  /// The source type for a file's ending; `nil` for endings that say nothing.
  private static func type(ofName path: String) -> String? {
    switch FilePath(path).extension?.lowercased() {
    case "csv", "tsv", "tab", "txt": "csv"
    case "geojson", "json": "geojson"
    case "geojsonl", "geojsons", "geojsonseq", "ndjson", "jsonl", "ndgeojson": "geojsonseq"
    default: nil
    }
  }

  /// Whether a text is of a format that GDAL reads: by its name, and by its beginning where the name
  /// has another meaning.
  private static func isConverted(_ path: String, _ head: [UInt8]) -> Bool {
    let beginning = head.prefix { $0 < 0x80 }
    func holds(_ text: String) -> Bool { beginning.contains(text.utf8) }
    return switch FilePath(path).extension?.lowercased() {
    case "kml", "gpx", "gml", "topojson", "mif": true
    case "tab": head.starts(with: "!table".utf8) || head.starts(with: "!Table".utf8)
    case "xml": holds("<gpx") || holds("<kml") || holds(":FeatureCollection")
    case "json": holds("\"Topology\"")
    default: false
    }
  }

  /// Whether a JSON file is GeoJSON, judging by its beginning; a style or pipeline may have some
  /// inside a source.
  private static func holdsFeatures(_ path: String) -> Bool {
    let head = SourceInput.file(FilePath(path), name: path).head(64 << 10)
    func holds(_ text: String) -> Bool { head.contains("\"\(text)\"".utf8) }
    return (holds("FeatureCollection") || holds("Feature"))
      && !holds("sources") && !holds("stores")
  }
}
