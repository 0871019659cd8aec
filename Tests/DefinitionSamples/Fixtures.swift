package import Definition
package import Runs

/// The pipeline of the design document: hotels as clusters.
package let hotelsPipeline = """
  version: 1
  name: us-hotels
  attribution: "© somebody"
  sources:
    hotels:
      type: csv
      data: data/hotels.csv
      columns: [lng, lat, name, country, phone]
      delimiter: ","
      id: phone
      select: [name, phone]
      onError: {max: 100}
      cluster: true
      clusterMethod: grid
      clusterCellSize: {0: 88, 13: 64, 16: 32, 19: 16}
      clusterMaxZoom: 16
      clusterMinPoints: 2
      clusterProperties: {rooms: ["+", [get, rooms]]}
  layers:
    - {id: ring, type: circle, source: hotels, paint: {circle-radius: 12, circle-color: "#ff5f2a"}}
    - id: count
      type: symbol
      source: hotels
      filter: [has, point_count]
      layout: {text-field: [get, point_count_abbreviated]}
  tiles:
    minzoom: 0
    maxzoom: 16
    scale: [1, 2]
    snap: 1
    bounds: [-130, 20, -60, 55]
    fill: children
    interactivity: {layers: [ring], fields: [name, phone, point_count]}
  output: {path: ../output/us-hotels.mbtiles, layout: auto}
  expect: {features: {min: 80000}}
  """

/// The smallest pipeline.
package let minimal = """
  version: 1
  sources:
    a:
      type: csv
      data: a.csv
  layers: [{id: a, type: circle, source: a}]
  """

/// Reads the text of a document; `x.yml` unless named otherwise.
package func document(
  _ text: String, file: String = "x.yml", environment: [String: String] = [:],
  limits: DocumentLimits = DocumentLimits()
) throws(PipelineError) -> Document {
  try Document(
    bytes: Array(text.utf8), file: file, environment: { environment[$0] }, limits: limits)
}

/// Reads the text of a pipeline.
package func definition(
  _ text: String, file: String = "pipelines/x.yml", environment: [String: String] = [:]
) throws(PipelineError) -> PipelineDefinition {
  try PipelineDefinition(try document(text, file: file, environment: environment))
}

/// The words of the error that reading a pipeline throws, or `none`.
package func fault(
  _ text: String, file: String = "x.yml", environment: [String: String] = [:]
) -> String {
  do {
    _ = try definition(text, file: file, environment: environment)
    return "none"
  } catch {
    return error.description
  }
}
