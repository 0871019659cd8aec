import Fetching
import Ingest
import JSON

extension SourceDefinition {
  /// Data of fewer bytes is read faster than an artifact.
  static let smallestCachedInput = 4096

  /// Keys of a source that say nothing about what its records are: where the data lies and how it
  /// is fetched (its digest says what it is), how points are joined, how many are drawn.
  private static let keysWithoutRecords =
    ["data", "url", "featureLimit"] + RemoteKeys.keys.map(\.name)

  /// The name of the source's records: a hash of the reader, all that the source's definition says
  /// of reading, what is asked of the reader, and the bytes of every file.
  ///
  /// Neither the layers nor the cluster options are in it, but the properties that these want are.
  /// Unknown keys are, so that one that is added later is never forgotten.
  /// - Returns: `nil` for what is not cached: images, data in the pipeline file, little data.
  /// - Throws: ``PipelineError`` where a file cannot be read.
  /// - Complexity: O(bytes) unless the digests are known.
  func recordsKey(
    _ request: ReadRequest, inputs: InputDigests
  ) throws(PipelineError) -> ArtifactKey? {
    guard let format, let data = try dataParts(inputs) else { return nil }
    let own = (node.members ?? []).filter {
      !$0.key.hasPrefix("cluster") && !Self.keysWithoutRecords.contains($0.key)
    }
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
    // Ledgers name these files.
    for file in records.changes.files {
      parts += ["change \(file)", try inputs.sha256(of: file)]
    }
    return ArtifactKey(kind: .records, parts)
  }

  /// The digests of the data; `nil` for what is not cached.
  private func dataParts(_ inputs: InputDigests) throws(PipelineError) -> [String]? {
    switch data {
    case .file(let path):
      let sizes = ([path] + records.changes.files).map { (try? InputStatus(path: $0).size) ?? 0 }
      guard sizes.reduce(0, +) >= Self.smallestCachedInput else { return nil }
      return ["file", try inputs.sha256(of: path)]
    case .fetched(let files):
      guard files.reduce(0, { $0 + $1.bytes }) >= Self.smallestCachedInput else { return nil }
      return files.flatMap { ["fetched \($0.uri)", $0.sha256] }
    case .url, .inline, .none:
      return nil
    }
  }

  /// A list in parts, one that is absent told from an empty one.
  private static func list(_ name: String, _ texts: [String]?) -> [String] {
    guard let texts else { return ["no \(name)"] }
    return ["\(texts.count) \(name)"] + texts
  }
}

extension ClusterDefinition {
  /// The name of a source's clusters: a hash of its records' name, the options and the zooms.
  func clustersKey(
    records: ArtifactKey, zooms: ClosedRange<Int>, tileSize: Int
  ) -> ArtifactKey {
    var parts = [
      records.hexadecimal, "\(method)", "radius \(radius)", "maxzoom \(maxZoom)",
      "points \(minPoints)", "zooms \(zooms)", "tile \(tileSize)",
    ]
    parts += cellSizes.map { "cell \($0.zoom) \($0.value)" }
    for property in properties {
      parts += ["property \(property.key)", JSONWriter.text(property.node.propertyValue)]
    }
    return ArtifactKey(kind: .clusters, parts)
  }
}
