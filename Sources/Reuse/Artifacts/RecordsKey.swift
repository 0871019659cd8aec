package import Definition
import Fetching
import GDAL
import Ingest
import JSON
package import Runs
import Unpacking

extension SourceDefinition {
  /// The size in bytes below which reading the data is faster than reading an artifact.
  static let smallestCachedInput = 4096

  /// The keys of a source that do not affect its records: the location of the data and the way of
  /// fetching it (the digest identifies it), the clustering, the limit on drawn features.
  private static let keysWithoutRecords =
    ["data", "url", "featureLimit"] + RemoteKeys.keys.map(\.name)

  /// Returns the name of the source's records: a hash of the reader, all keys of the source's
  /// definition that affect reading, the request to the reader, and the bytes of every file.
  ///
  /// It does not depend on the layers or the cluster options, only on the properties that these
  /// need. It includes unknown keys, so that a key that is added later is never forgotten.
  /// - Returns: `nil` for data that is not cached: images, data in the pipeline file, small files.
  /// - Throws: ``PipelineError`` where a file cannot be read.
  /// - Complexity: O(bytes) unless the digests are known.
  package func recordsKey(
    _ request: ReadRequest, inputs: InputDigests
  ) throws(PipelineError) -> ArtifactKey? {
    guard let records, let data = try dataParts(records, inputs) else { return nil }
    let own = (node.members ?? []).filter {
      !$0.key.hasPrefix("cluster") && !Self.keysWithoutRecords.contains($0.key)
    }
    let format = records.format
    var parts = ["reader \(Swift.type(of: format).type).\(Swift.type(of: format).version)"]
    parts += own.map { "key \($0.key) \(JSONWriter.text($0.node.propertyValue))" }
    parts.append("id \(records.id ?? "")")
    parts.append("errors \(records.maxErrors) \(records.onDuplicateID)")
    parts += Self.list("condition", records.conditions.map(\.text))
    parts += Self.list("wanted", request.wanted)
    parts += Self.list("selected", request.selected)
    parts += Self.list("tested", request.tested)
    if request.identifies { parts.append("identifiers") }
    parts += data
    if let member = packed?.member ?? member { parts.append("member \(member)") }
    // Ledgers contain the names of these files.
    for file in records.changes.files {
      parts += ["change \(file)", try inputs.sha256(of: file)]
    }
    return ArtifactKey(kind: .records, parts)
  }

  /// Returns the digests of the data; `nil` for data that is not cached.
  private func dataParts(
    _ records: RecordDefinition, _ inputs: InputDigests
  ) throws(PipelineError) -> [String]? {
    switch data {
    case .file where records.format is OGRSource, .parts where records.format is OGRSource:
      // However small: reading a file starts three programs.
      var parts: [String] = []
      if case .parts(let files) = data { parts += files.map { "part \($0.name)" } }
      for file in convertedFiles {
        guard let path = file.path else { continue }
        parts += [file.name, try inputs.sha256(of: path)]
      }
      return parts
    case .connection:
      guard let content = converted?.known else { return nil }
      return ["database", content.sha256] + (try converterParts(inputs))
    case .file(let path):
      let sizes = ([path] + records.changes.files).map { (try? InputStatus(path: $0).size) ?? 0 }
      guard sizes.reduce(0, +) >= Self.smallestCachedInput else { return nil }
      return ["file", try inputs.sha256(of: path)]
    case .parts(let parts):
      let sizes = parts.map { (try? InputStatus(path: $0.path).size) ?? 0 }
      guard sizes.reduce(0, +) >= Self.smallestCachedInput else { return nil }
      var keys = ["\(parts.count) parts"]
      // Ledgers contain the names of the files.
      for part in parts { keys += [part.name, try inputs.sha256(of: part.path)] }
      return keys
    case .fetched(let files):
      guard files.reduce(0, { $0 + $1.bytes }) >= Self.smallestCachedInput else { return nil }
      return files.flatMap { ["fetched \($0.uri)", $0.sha256] } + (try converterParts(inputs))
    case .standardInput(let input?):
      guard input.bytes >= Self.smallestCachedInput else { return nil }
      return ["file", input.sha256]
    case .url, .patterns, .inline, .standardInput, .none:
      return nil
    }
  }

  /// Returns the digest of the program that converts the data; nothing for data that is read as it is.
  private func converterParts(_ inputs: InputDigests) throws(PipelineError) -> [String] {
    var parts: [String] = []
    for file in converters {
      if let path = file.path { parts += [file.name, try inputs.sha256(of: path)] }
    }
    return parts
  }

  /// Returns a list in parts, in which an absent list differs from an empty one.
  private static func list(_ name: String, _ texts: [String]?) -> [String] {
    guard let texts else { return ["no \(name)"] }
    return ["\(texts.count) \(name)"] + texts
  }
}

extension ClusterDefinition {
  /// Returns the name of a source's clusters: a hash of its records' name, the options and the
  /// zooms.
  package func clustersKey(
    records: ArtifactKey, zooms: ClosedRange<Int>, tileSize: Int
  ) -> ArtifactKey {
    var parts = [
      records.hexadecimal, "maxzoom \(maxZoom)", "points \(minPoints)", "zooms \(zooms)",
      "tile \(tileSize)",
    ]
    switch method {
    case .grid(let cellSizes): parts += cellSizes.map { "cell \($0.zoom) \($0.value)" }
    case .radius(let radius): parts.append("radius \(radius)")
    }
    for property in properties {
      parts += ["property \(property.key)", JSONWriter.text(property.node.propertyValue)]
    }
    return ArtifactKey(kind: .clusters, parts, program: records.program)
  }
}
