package import JSON
import Runs

extension FeatureExplanation {
  /// Returns the explanation for people; of many tiles only the first are listed.
  package func text(limit: Int = 8) -> String {
    var table = ReportTable([["zoom", "drawn as", "layers", "tiles"]], text: [1, 2, 3])
    for zoom in zooms {
      let left = zoom.tiles.count - limit
      let names = zoom.tiles.prefix(limit).map { "\($0)" }.joined(separator: " ")
      table.rows.append([
        "\(zoom.zoom)", zoom.words(of: identity), zoom.layers.joined(separator: ", "),
        names + (left > 0 ? " and \(ReportNumber.count(left)) more" : ""),
      ])
    }
    return [
      "feature \(identity.key) of source \(identity.tileFeature?.source ?? identity.source), "
        + "at scale \(scale)",
      "  record  \(identity.place)", table.text,
    ].joined(separator: "\n\n")
  }

  /// The explanation for programs, with all tiles.
  package var json: ReportJSON {
    .members([
      "key": .string(identity.key), "source": .string(identity.source),
      "record": .string(identity.place), "scale": .integer(scale),
      "zooms": .array(
        zooms.map { zoom in
          .members([
            "zoom": .integer(zoom.zoom), "clusters": .array(zoom.clusters.map(\.json)),
            "limited": .bool(zoom.isLimited), "layers": .array(zoom.layers.map { .string($0) }),
            "tiles": .array(zoom.tiles.map { .string("\($0)") }),
          ])
        }),
    ])
  }
}

extension FeatureExplanation.Zoom {
  /// Returns `itself`, a cluster, or why it is not drawn.
  fileprivate func words(of identity: RecordIdentity) -> String {
    if identity.point == nil, identity.shape == nil { return "not drawn: it has no geometry" }
    if tiles.isEmpty {
      return isLimited ? "not drawn: left out by 'featureLimit'" : "not drawn: no layer shows it"
    }
    return clusters.isEmpty ? "itself" : clusters.map(\.words).joined(separator: "; ")
  }
}
