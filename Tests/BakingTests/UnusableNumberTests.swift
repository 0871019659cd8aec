import PipelineSamples
import TestSupport
import Testing

@testable import Reports

@Suite("Numbers of records that are not finite")
struct UnusableNumberTests {
  @Test("infinite and NaN values are drawn with the default, with one note for each property")
  func notes() throws {
    let sample = try BuildSample(rows: 5, tiles: "{maxzoom: 1}")
    try sample.folder.write(
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"a": 1, "b": 0}, "geometry": {"type": "Point", "coordinates": [1, 2]}},
        {"type": "Feature", "properties": {"a": 1, "b": 0}, "geometry": {"type": "LineString", "coordinates": [[1, 2], [9, 9]]}},
        {"type": "Feature", "properties": {"a": -1, "b": 2}, "geometry": {"type": "LineString", "coordinates": [[5, 2], [9, 5]]}},
        {"type": "Feature", "properties": {"a": 1, "b": 0, "c": 0}, "geometry": {"type": "Point", "coordinates": [7, 2]}}]}
      """, to: "p.geojson")
    try sample.folder.write(
      """
      version: 1
      name: sample
      sources: {p: {type: geojson, data: p.geojson}}
      layers:
        - {id: heat, type: heatmap, source: p, paint: {heatmap-weight: [/, [get, a], [get, b]]}}
        - {id: way, type: line, source: p, paint: {line-width: [ln, [-, [get, a]]]}}
        - {id: dot, type: circle, source: p, paint: {circle-radius: [/, [get, a], [get, b]], circle-blur: [get, b]}}
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "sample.yml")
    let notes = try #require(try sample.build().first).notes
    #expect(
      notes == [
        "layer 'heat': 'heatmap-weight' is not a finite number for some features; they are drawn with "
          + "its default",
        "layer 'way': 'line-width' is not a finite number for some features; they are drawn with its "
          + "default",
        "layer 'dot': 'circle-radius' is not a finite number for some features; they are drawn with "
          + "its default",
      ])
  }
}
