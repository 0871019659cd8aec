import Definition
import Examination
import Features
import Ingest
import OrderedCollections

/// A layer of the pipeline that is drafted.
struct LayerDraft {
  /// The place of a layer among the layers of all sources, the lowest first: images lie under
  /// areas, areas under lines, lines under points, labels over everything, and over them the numbers of
  /// clusters, since symbols of the last layer are placed first.
  enum Rank: Int, Comparable {
    case image, area, outline, line, point, label, count

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  var rank: Rank
  var id: String
  var type: String
  var source: String

  /// The layer of vector tiles; `nil` for other data.
  var sourceLayer: String?
  var comment: String
  var filter: PropertyValue?
  var minZoom: Int?
  var layout: OrderedDictionary<String, PropertyValue> = [:]
  var paint: OrderedDictionary<String, PropertyValue> = [:]

  init(_ rank: Rank, _ id: String, _ type: String, of source: String, comment: String) {
    self.rank = rank
    self.id = id
    self.type = type
    self.source = source
    self.comment = comment
  }

  var isLabel: Bool { type == "symbol" }

  /// The layer as it is written.
  var entries: [DraftEntry] {
    var entries = [
      DraftEntry("id", .string(id), comment: comment), DraftEntry("type", .string(type)),
      DraftEntry("source", .string(source)),
    ]
    if let sourceLayer { entries.append(DraftEntry("source-layer", .string(sourceLayer))) }
    if let filter { entries.append(DraftEntry("filter", filter)) }
    if let minZoom, minZoom > 0 { entries.append(DraftEntry("minzoom", .number(Double(minZoom)))) }
    for (key, values) in [("layout", layout), ("paint", paint)] where !values.isEmpty {
      entries.append(DraftEntry(key, .keys(values.map { DraftEntry($0.key, $0.value) })))
    }
    return entries
  }
}
