import Features
package import JSON
import Runs
import Styling

extension TileExplanation {
  /// Returns the explanation for people; for a tile with very many features only the first are
  /// named.
  ///
  /// - Parameter limit: the maximum number of features that are named.
  package func text(limit: Int = 40) -> String {
    var head = ReportTable(
      [
        ["scene", scene?.text ?? "none: nothing is drawn here"],
        [
          "painted",
          ReportNumber.count(bytes) + " bytes"
            + (scene == nil ? "" : " in \(ReportNumber.decimal(milliseconds, 3)) ms"),
        ],
        ["archive", "\(archive): \(published.words)"],
      ], text: [0, 1])
    if !otherLayers.isEmpty {
      head.rows.append([
        "layers", otherLayers.map { "\($0.id) (\($0.kind.rawValue))" }.joined(separator: ", "),
      ])
    }
    var table = ReportTable(
      [["layer", "type", "source", "shows", "record", "key"]], text: [0, 1, 2, 3, 4, 5])
    for hit in hits.prefix(limit) {
      table.rows.append([
        hit.layerName, hit.layer.kind.rawValue, hit.sourceName ?? "",
        hit.feature.cluster?.words ?? "one record",
        hit.places, hit.identities.first?.key ?? "",
      ])
    }
    let left = hitCount - min(limit, hits.count)
    return [
      title, head.text, hits.isEmpty ? nil : table.text,
      left > 0 ? "  \(ReportNumber.count(left)) more are drawn here." : nil,
      hits.isEmpty && scene != nil ? "  no feature is drawn here." : nil,
    ].compactMap(\.self).joined(separator: "\n\n")
  }

  private var title: String {
    let place = pixel.map { ", pixel \($0.x),\($0.y)" } ?? ""
    return "tile \(tile) at scale \(scale)\(place): "
      + "\(ReportNumber.count(hitCount)) drawn, the topmost first"
  }

  /// The explanation for programs, with up to ``limit`` features.
  package var json: ReportJSON {
    var members: [ReportJSON.Member] = [
      .init("tile", .string("\(tile)")), .init("scale", .integer(scale)),
    ]
    if let pixel {
      members.append(.init("pixel", .array([.integer(pixel.x), .integer(pixel.y)])))
    }
    members += [
      .init("scene", scene.map { .string($0.text) } ?? .null), .init("bytes", .integer(bytes)),
      .init("milliseconds", scene == nil ? .null : .number(milliseconds)),
      .init("archive", published.json(path: archive)), .init("drawn", .integer(hitCount)),
      .init("features", .array(hits.map(\.json))),
      .init(
        "otherLayers",
        .array(
          otherLayers.map {
            .members(["layer": .string($0.id), "type": .string($0.kind.rawValue)])
          })),
    ]
    return .object(members)
  }
}

extension TileExplanation.Hit {
  /// The name of the source in the pipeline file.
  fileprivate var sourceName: String? {
    identities.first?.tileFeature?.source ?? layer.source
  }

  /// The places, such as `hotels.csv:12`, for a cluster `such as hotels.csv:12, hotels.csv:15`.
  fileprivate var places: String {
    (feature.cluster == nil ? "" : "such as ")
      + (identities.isEmpty ? "unknown" : identities.map(\.place).joined(separator: ", "))
  }

  /// The record, for a cluster the first one; and the members that are known, including that one.
  fileprivate var json: ReportJSON {
    var members: [ReportJSON.Member] = [
      .init("layer", .string(layerName)), .init("type", .string(layer.kind.rawValue)),
      .init("source", sourceName.map { .string($0) } ?? .null),
    ]
    if let tileFeature = identities.first?.tileFeature { members += tileFeature.members }
    members += [
      .init("cluster", feature.cluster?.json ?? .null),
      .init("key", identities.first.map { .string($0.key) } ?? .null),
      .init("record", identities.first.map { .string($0.place) } ?? .null),
      .init(
        "members",
        feature.cluster == nil
          ? .null
          : .array(
            identities.map { .members(["key": .string($0.key), "record": .string($0.place)]) })),
    ]
    return .object(members)
  }
}

extension TileFeature {
  fileprivate var members: [ReportJSON.Member] {
    [
      .init("sourceLayer", .string(layer)), .init("tile", .string(tile)),
      .init("id", id.map { .string($0) } ?? .null),
    ]
  }
}

extension TileExplanation.Published {
  var words: String {
    switch self {
    case .none: "not built yet"
    case .unreadable(let reason): reason
    case .absent: "it has no such tile"
    case .same(let bytes): "the same \(ReportNumber.count(bytes)) bytes"
    case .different(let bytes): "\(ReportNumber.count(bytes)) bytes, which are others"
    }
  }

  func json(path: String) -> ReportJSON {
    switch self {
    case .none: .null
    case .unreadable(let reason):
      .members(["path": .string(path), "fault": .string(reason)])
    case .absent: .members(["path": .string(path), "bytes": .null, "isSame": .bool(false)])
    case .same(let bytes):
      .members(["path": .string(path), "bytes": .integer(bytes), "isSame": .bool(true)])
    case .different(let bytes):
      .members(["path": .string(path), "bytes": .integer(bytes), "isSame": .bool(false)])
    }
  }
}

extension StableHash {
  /// The hash, 32 hexadecimal digits.
  var text: String {
    [high, low].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
