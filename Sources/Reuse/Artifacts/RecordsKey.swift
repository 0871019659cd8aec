package import Definition
import Features
import Ingest
package import Inputs
import JSON
import Projections
package import Runs

extension ResolvedSource {
  /// The size in bytes below which reading the data is faster than reading an artifact.
  static let smallestCachedInput = 4096

  /// The keys of a source that do not affect its records: the location of the data and the way of
  /// fetching it (the digest identifies it), the clustering and its classes, the limit on drawn
  /// features, their stacks, the windows of time.
  private static let keysWithoutRecords =
    ["data", "url", "featureLimit", "classes", "stacks", FrameWindowKeys.name]
    + RemoteKeys.keys.map(\.name)

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
    guard let records, let data = dataParts(of: records) else { return nil }
    var parts = readingParts(of: records, request)
    for part in data {
      switch part {
      case .text(let text): parts.append(text)
      case .file(let path): parts.append(try inputs.sha256(of: path))
      }
    }
    if let member = definition.member { parts.append("member \(member)") }
    // Ledgers contain the names of these files.
    for file in records.changes.files {
      parts += ["change \(file)", try inputs.sha256(of: file)]
    }
    return ArtifactKey(kind: .records, parts)
  }

  /// Returns the name of the places of the source's records: a hash of the reader, the keys that
  /// affect reading, the request, and the name of the file.
  ///
  /// Like that of ``polesKey(program:)`` it does not depend on the file's bytes: places are stored
  /// with the status of their file.
  /// - Returns: `nil` for data whose records have no places: anything but a file of this machine that
  ///   is read as it is, and formats that locate none.
  package func placesKey(_ request: ReadRequest) -> ArtifactKey? {
    guard let records, let file = plainFile, records.changes.isEmpty, absence == nil,
      Swift.type(of: records.format).locatesRecords, dataParts(of: records) != nil
    else { return nil }
    var request = request
    if !Swift.type(of: records.format).skipsUnwanted { request.wanted = nil }
    return ArtifactKey(
      kind: .places, readingParts(of: records, request) + [name, file])
  }

  /// Returns the parts of a key for the way of reading: the reader, the keys that affect it, the
  /// request.
  private func readingParts(of records: RecordDefinition, _ request: ReadRequest) -> [String] {
    let own = (node.members ?? []).filter {
      !$0.key.hasPrefix("cluster") && !Self.keysWithoutRecords.contains($0.key)
        && ($0.key != "edits" || records.changes.edits != nil)
    }
    let format = records.format
    var parts = ["reader \(Swift.type(of: format).type).\(Swift.type(of: format).version)"]
    parts += own.map { "key \($0.key) \(JSONWriter.text($0.node.propertyValue))" }
    // Another version of PROJ may have better parameters of a datum.
    if case .named? = format.system { parts.append("proj \(Projection.libraryVersion ?? "")") }
    parts.append("id \(records.id ?? "")")
    if let windows = records.windows { parts.append("instant \(windows.property)") }
    parts.append("errors \(records.tolerance) \(records.onDuplicateID)")
    parts += Self.list("condition", records.conditions.map(\.text))
    parts += Self.list("wanted", request.wanted)
    parts += Self.list("selected", request.selected)
    parts += Self.list("tested", request.tested)
    if request.identifies { parts.append("identifiers") }
    return parts
  }

  /// Returns the parts of a key for the data; `nil` for data that is not cached.
  private func dataParts(of records: RecordDefinition) -> [DigestPart]? {
    guard let parts = origin.digestParts else { return nil }
    if let bytes = origin.storedBytes {
      let changes = records.changes.files.map { LocalFile($0).storedBytes ?? 0 }
      guard bytes + changes.reduce(0, +) >= Self.smallestCachedInput else { return nil }
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
    case .bubble(let gap): parts.append("bubble \(gap)")
    case .areas(let areas):
      parts.append("\(areas.isHexagonal ? "hexagons" : "squares") \(areas.meters ?? 0)")
      parts += areas.sizes.map { "cell \($0.zoom) \($0.value)" }
    }
    for property in properties {
      parts += ["property \(property.key)", JSONWriter.text(property.node.propertyValue)]
    }
    return ArtifactKey(kind: .clusters, parts, program: records.program)
  }
}
