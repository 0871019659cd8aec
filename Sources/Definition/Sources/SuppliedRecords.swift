package import Files
package import Runs

extension PipelineDefinition {
  /// Returns the definition with records of the calling program as the data of a source.
  ///
  /// The keys that say where the source's data is and how its format is read have no effect; its
  /// others (`id`, `filter`, `cluster` …) and the layers apply.
  ///
  /// - Parameter records: GeoJSON texts, one per line.
  /// - Throws: ``PipelineError`` with code `usage` if there is no such source, or if it has no
  ///   records.
  package func supplying(
    _ records: SpooledFile, to name: String
  ) throws(PipelineError) -> PipelineDefinition {
    guard let index = sources.firstIndex(where: { $0.name == name }) else {
      throw PipelineError(
        .usage,
        "there is no source '\(name)' in the pipeline"
          + NameSuggestion.question(name, among: sources.map(\.name)))
    }
    var supplied = self
    try supplied.sources[index].supply(records)
    return supplied
  }
}

extension SourceDefinition {
  fileprivate mutating func supply(_ supplied: SpooledFile) throws(PipelineError) {
    guard var records else {
      throw PipelineError(
        .usage, "source '\(name)' has images, and features can only replace records.", at: place)
    }
    let own = Swift.type(of: records.format).keys.map(\.name)
    let dropped = Set(own + RemoteKeys.keys.map(\.name) + ["type", "data", "url"])
    records.format = GeoJSONSequenceSource()
    records.isStore = false
    records.comparesGivenIDs = node["onDuplicateId"] != nil
    kind = .records(records)
    (data, member) = (.memory(supplied), nil)
    // Keys that are not read are dropped, so that they do not change the archive's fingerprint.
    let type = DocumentMember(
      key: "type", keyPlace: place,
      node: DocumentNode(.string(GeoJSONSequenceSource.type), at: place))
    let kept = (node.members ?? []).filter { !dropped.contains($0.key) }
    node = DocumentNode(.object([type] + kept), at: node.place)
  }
}
