import Clustering
import Features
import Ingest
import OrderedCollections
import Rendering
import Tiling

/// Records or clusters of a pipeline as one GeoJSON FeatureCollection, feature by feature.
struct FeatureQuery {
  let build: Build
  let options: QueryOptions

  /// Writes the collection.
  ///
  /// Sources come in the order of the file, records in the order of the source, clusters in the
  /// order of their zoom.
  func run(write: ([UInt8]) throws(PipelineError) -> Void) throws(PipelineError) {
    try checkNames()
    let condition = try options.whereText.map { text throws(PipelineError) in
      try WhereClause(commandLine: text)
    }
    let clock = StageClock(progress: build.progress, cancellation: build.cancellation)
    var selected = build.definition
    if let zoom = options.clusterZoom {
      selected.tiles.minZoom = zoom
      selected.tiles.maxZoom = zoom
    }
    if !options.sources.isEmpty {
      selected.sources.removeAll { !options.sources.contains($0.name) }
    }
    if let condition {
      for index in selected.sources.indices {
        selected.sources[index].records.conditions.append(condition)
      }
    }
    let build = Build(
      definition: selected, options: build.options, cancellation: build.cancellation,
      progress: build.progress)
    let sources = try build.readAndCluster(nil, clock)
    try write(Array(#"{"type":"FeatureCollection","features":["#.utf8))
    var left = options.limit ?? .max
    var isFirst = true
    for source in sources {
      try writeFeatures(of: source, &left, &isFirst, write: write)
    }
    try write(Array("\n]}\n".utf8))
  }

  private func checkNames() throws(PipelineError) {
    let names = build.definition.sources.map(\.name)
    for name in options.sources where !names.contains(name) {
      throw PipelineError(
        .usage,
        "there is no source '\(name)'; sources are \(names.joined(separator: ", ")).")
    }
  }

  private func writeFeatures(
    of source: ClusteredSource, _ left: inout Int, _ isFirst: inout Bool,
    write: ([UInt8]) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    let zoom = options.clusterZoom
    let symbols = zoom.map { source.symbols(at: $0) }
    let points = source.source.points
    let view = FeatureView(
      points: points, level: symbols?.level, aggregateNames: source.aggregateNames)
    var buffer: [UInt8] = []
    for row in 0..<view.count where left > 0 {
      let position = LngLat(
        longitude: symbols?.level?.longitudes[row] ?? points.longitudes[row],
        latitude: symbols?.level?.latitudes[row] ?? points.latitudes[row])
      if let bounds = options.bounds, !bounds.contains(position) { continue }
      view.row = row
      buffer.append(contentsOf: isFirst ? Array("\n".utf8) : Array(",\n".utf8))
      isFirst = false
      JSONWriter.append(feature(view, at: position), to: &buffer)
      left -= 1
      if buffer.count > 1 << 16 {
        try build.cancellation.check()
        try write(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    try write(buffer)
  }

  private func feature(_ view: FeatureView, at position: LngLat) -> PropertyValue {
    var members: OrderedDictionary<String, PropertyValue> = ["type": .string("Feature")]
    if let id = view.id { members["id"] = id }
    members["geometry"] = .object([
      "type": .string("Point"),
      "coordinates": .array([.number(position.longitude), .number(position.latitude)]),
    ])
    members["properties"] = view.allProperties
    return .object(members)
  }
}
