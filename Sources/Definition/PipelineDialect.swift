import Runs

/// The kinds of files that describe a tileset.
enum PipelineDialect: Hashable, Sendable {
  /// `version: 1` with `sources`.
  case pipeline
  /// `version: 1` with `include` and no sources of its own.
  case collection
  /// A SpatialConnect config: `stores`.
  case stores
  /// A MapLibre style: `version: 8`.
  case style

  /// Determines the kind of a file by its keys.
  ///
  /// - Throws: ``PipelineError`` with code `definition` for a file of any other kind.
  init(of root: DocumentNode) throws(PipelineError) {
    guard root.members != nil else {
      throw root.place.fault(
        "a pipeline is an object that begins with 'version: 1', but this is "
          + "\(root.words).")
    }
    if let stores = root.member("stores") {
      self = .stores
      guard root["sources"] == nil else {
        throw stores.keyPlace.fault(
          "a file has either 'sources' or 'stores'. Move these into a file of their own and name "
            + "it under 'include'.")
      }
      return
    }
    guard let version = root["version"] else {
      // Apps split their configs; a file with only the server can be merged as well.
      if PipelineKeys.ignoredStoresKeys.contains(where: { root[$0] != nil }) {
        self = .stores
        return
      }
      throw root.place.fault(
        "'version' is missing. Write 'version: 1' for a pipeline; 8 is a MapLibre style.")
    }
    switch version.integer {
    case 1: self = root["include"] != nil && root["sources"] == nil ? .collection : .pipeline
    case 8: self = .style
    default:
      throw version.place.fault(
        "'version' must be 1 for a pipeline or 8 for a MapLibre style, but it is "
          + "\(version.words)." + (version.commaAdvice.map { " \($0)" } ?? ""))
    }
  }

  /// The keys at the top level of such a file.
  var keys: ObjectSpecification {
    switch self {
    case .pipeline: PipelineKeys.pipeline
    case .collection: PipelineKeys.collection
    case .stores: PipelineKeys.stores
    case .style: PipelineKeys.style
    }
  }
}
