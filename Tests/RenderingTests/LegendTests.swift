import Features
import Ingest
import PNG
import Raster
import Testing

@testable import Painting
@testable import Styling

/// What a legend says of a style.
@Suite("A legend")
struct LegendTests {
  /// The legend of layers in JSON, as lines `title [property]: label, label`.
  private static func legend(
    _ layers: String, zooms: ClosedRange<Int> = 0...14, points: [String: Int] = [:]
  ) throws -> Legend {
    guard case .array(let objects) = try JSONValueParser.parse(Array(layers.utf8)) else {
      return Legend(title: "", entries: [])
    }
    let style = Style(layers: try objects.map { try StyleLayer($0, sources: ["s", "t"]) })
    return try LegendBuilder(
      style: style, objects: objects, zooms: zooms, clusteredPoints: points, fonts: FontLibrary()
    ).legend(title: "test")
  }

  private static func lines(_ legend: Legend) -> [String] {
    legend.entries.map { entry in
      let property = entry.property.map { " [\($0)]" } ?? ""
      return "\(entry.title)\(property): \(entry.rows.map(\.label).joined(separator: ", "))"
    }
  }

  static let cases: [(layers: String, lines: [String])] = [
    (#"[{"id": "a", "type": "fill", "source": "s"}]"#, ["a: a"]),
    // Layers of the same features are one entry, named after the source.
    (
      #"[{"id": "a", "type": "fill", "source": "s"}, {"id": "b", "type": "line", "source": "s"}]"#,
      ["s: s"]
    ),
    (
      ##"""
      [{"id": "a", "type": "fill", "source": "s", "filter": ["==", ["get", "k"], 1]},
       {"id": "b", "type": "fill", "source": "s", "filter": ["==", ["get", "k"], 2]}]
      """##, ["a: a", "b: b"]
    ),
    (
      ##"""
      [{"id": "a", "type": "fill", "source": "s", "paint": {"fill-color":
        ["interpolate", ["linear"], ["get", "floors"], 0, "#fff", 10.5, "#888", 2000, "#000"]}}]
      """##, ["a [floors]: 0, 10.5, 2,000"]
    ),
    (
      ##"""
      [{"id": "a", "type": "line", "source": "s", "paint": {"line-width":
        ["step", ["number", ["get", "lanes"], 1], 1, 2, 3, 4, 6]}}]
      """##, ["a [lanes]: < 2, 2 – 4, ≥ 4"]
    ),
    // Areas in proportion to a number, as drafts have them.
    (
      ##"""
      [{"id": "a", "type": "circle", "source": "s", "paint": {"circle-radius":
        ["interpolate", ["linear"], ["zoom"], 4, 2, 9, ["interpolate", ["linear"], ["sqrt",
          ["case", ["==", ["typeof", ["get", "people"]], "number"], ["get", "people"], 0]],
          0, 1, 320, 22]]}}]
      """##, ["a [people]: 5,000, 20,000, 100,000"]
    ),
    (
      ##"""
      [{"id": "a", "type": "circle", "source": "s", "paint": {"circle-color":
        ["match", ["get", "kind"], "inn", "#f00", ["bar", "pub"], "#0f0", "#00f"]}}]
      """##, ["a [kind]: inn, bar, pub, other"]
    ),
    (
      ##"""
      [{"id": "a", "type": "circle", "source": "s", "paint":
        {"circle-radius": {"property": "size", "stops": [[1, 2], [9, 8]]}}}]
      """##, ["a [size]: 1, 9"]
    ),
    (
      ##"""
      [{"id": "a", "type": "circle", "source": "t", "paint":
        {"circle-radius": ["+", 4, ["log10", ["coalesce", ["get", "point_count"], 1]]]}}]
      """##, ["a [point_count]: 1, 10, 100, 1,000"]
    ),
    (
      ##"""
      [{"id": "a", "type": "circle", "source": "t", "filter": ["has", "point_count"], "paint":
        {"circle-color": ["step", ["get", "point_count"], "#fff", 50, "#000"]}}]
      """##, ["a [point_count]: < 50, ≥ 50"]
    ),
    (
      ##"""
      [{"id": "a", "type": "circle", "source": "s", "paint": {
        "circle-color": ["match", ["get", "kind"], 1, "#f00", "#00f"],
        "circle-radius": ["interpolate", ["linear"], ["get", "size"], 1, 2, 5, 10]}}]
      """##, ["a [kind]: 1, other", "a [size]: 1, 5"]
    ),
    (#"[{"id": "a", "type": "heatmap", "source": "s"}]"#, ["a: low – high"]),
    // Labels, images, grounds, hidden layers and those of other zooms explain nothing.
    (
      ##"""
      [{"id": "a", "type": "background"}, {"id": "b", "type": "symbol", "source": "s"},
       {"id": "c", "type": "fill", "source": "s", "layout": {"visibility": "none"}},
       {"id": "d", "type": "fill", "source": "s", "minzoom": 15},
       {"id": "e", "type": "fill", "source": "s", "paint": {"fill-opacity": 0}}]
      """##, []
    ),
  ]

  @Test("a legend has a row for each step that decides a look", arguments: cases)
  func rows(layers: String, lines: [String]) throws {
    let legend = try Self.legend(layers, points: ["t": 8000])
    #expect(Self.lines(legend) == lines)
  }

  @Test("the colours of an image of numbers are rows with their values")
  func ramp() throws {
    let layers = ##"[{"id": "rain-fall", "type": "raster", "source": "s"}]"##
    guard case .array(let objects) = try JSONValueParser.parse(Array(layers.utf8)) else {
      Issue.record("no list of layers")
      return
    }
    let style = Style(layers: try objects.map { try StyleLayer($0, sources: ["s"]) })
    let legend = try LegendBuilder(
      style: style, objects: objects, zooms: 0...3, clusteredPoints: [:],
      ramps: ["s": [(0, .white), (12.5, .black)]], fonts: FontLibrary()
    ).legend(title: "radar_picture")
    #expect(legend.title == "Radar picture")
    #expect(Self.lines(legend) == ["Rain fall: 0, 12.5"])
    #expect(legend.entries[0].rows.map(\.swatch) == [[.fill(.white)], [.fill(.black)]])
    #expect(try Self.legend(layers).entries.isEmpty)
  }

  @Test("titles are words; the title that the file gives a layer comes first")
  func titles() throws {
    for (name, title) in [
      ("hiking_trails", "Hiking trails"), ("us-hotels", "us hotels"), ("landUse", "Land use"),
      ("My map_1", "My map_1"), ("NUTS", "NUTS"), ("a", "a"), ("__x__", "x"),
    ] {
      #expect(LegendWords.title(of: name) == title)
    }
    #expect(LegendWords.property("point_count") == "number of points")
    #expect(LegendWords.property("pop_2020") == "pop 2020")
    let given =
      ##"[{"id": "a", "type": "fill", "source": "s", "metadata": {"title": "Our parks"}}]"##
    #expect(Self.lines(try Self.legend(given)) == ["Our parks: Our parks"])
    let hidden = ##"[{"id": "a", "type": "fill", "source": "s", "metadata": {"legend": false}}]"##
    #expect(try Self.legend(hidden).entries.isEmpty)
  }

  @Test("a legend shows the colours and sizes of its rows")
  func swatches() throws {
    let legend = try Self.legend(Self.cases[3].layers)
    let colors = legend.entries[0].rows.map { row -> [Color] in
      row.swatch.compactMap { if case .fill(let color) = $0 { color } else { nil } }
    }
    #expect(colors.map { $0.map { ($0.red * 255).rounded() } } == [[255], [136], [0]])
    let counts = try Self.legend(Self.cases[8].layers, points: ["t": 8000]).entries[0].rows
    let radii = counts.map { row -> Double in
      if case .circle(let look)? = row.swatch.first { look.radius } else { 0 }
    }
    #expect(radii == [4, 5, 6, 7])
  }

  @Test("a legend is drawn with every row in view, at each density", arguments: [1, 2])
  func picture(scale: Int) throws {
    let fonts = try FontLibrary()
    let legend = try Self.legend(Self.cases[3].layers)
    let picture = try LegendPainter(scale: scale, fonts: fonts).picture(of: legend)
    #expect(picture.width > 60 * scale && picture.height > 100 * scale)
    #expect(picture[0, 0] == PremultipliedColor(.white))
    let colors = Set(picture.pixels)
    for red in [0.0, 136] {
      let gray = Color(red: red / 255, green: red / 255, blue: red / 255)
      #expect(colors.contains(PremultipliedColor(gray).bits), "\(red)")
    }
    let empty = Legend(title: "", entries: [])
    #expect(try LegendPainter(scale: scale, fonts: fonts).picture(of: empty).height > 0)
  }

  @Test("a legend copes with styles that it cannot represent")
  func extremes() throws {
    let stops = (0..<500).map { "\($0), \"#0\($0 % 10)0\"" }.joined(separator: ", ")
    let legend = try Self.legend(
      """
      [{"id": "a", "type": "circle", "source": "s", "paint": {"circle-radius": 1e9,
        "circle-color": ["interpolate", ["linear"], ["get", "x"], \(stops)]}}]
      """)
    #expect(legend.entries[0].rows.count == LegendSteps.limit)
    let picture = try LegendPainter(scale: 2, fonts: FontLibrary()).picture(of: legend)
    #expect(picture.height < 16_384)
  }
}
