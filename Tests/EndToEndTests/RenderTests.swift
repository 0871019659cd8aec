import Foundation
import PNG
import Raster
import TestSupport
import Testing

@Suite("A view of a map")
struct RenderTests {
  private let folder: TemporaryFolder
  private let style: String

  init() throws {
    folder = try TemporaryFolder()
    style = try folder.write(
      """
      {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "Polygon",
       "coordinates": [[[0,0],[90,0],[90,-66],[0,-66],[0,0]]]}}},
       "layers": [{"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": "red"}}]}
      """, to: "style.json")
  }

  @Test("a view has the requested size, and its centre in the middle", arguments: [1, 2])
  func size(ratio: Int) throws {
    let file = folder.path("view.png")
    let outcome = try Program.run(
      "render", style, "--center=0,0", "--zoom", "1", "--size", "60x40", "--ratio", "\(ratio)",
      "-o", file)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let picture = try PNGDecoder().decode(folder.bytes("view.png"))
    #expect(picture.width == 60 * ratio && picture.height == 40 * ratio)
    // The square begins at the middle and lies to the south-east.
    let (x, y) = (30 * ratio, 20 * ratio)
    #expect(picture[x, y] == PremultipliedColor(bits: 0xFF00_00FF))
    // Within a pixel the edge is soft.
    #expect(picture[x - 2, y] == .transparent && picture[x, y - 2] == .transparent)
  }

  @Test(
    "a picture is not written under the name of another format",
    arguments: ["view.gif", "view.GIF", "view.svg", "a.b.tiff"])
  func formats(name: String) throws {
    for command in [["render", style, "--center=0,0", "--zoom", "1"], ["tile", style, "0/0/0"]] {
      let outcome = try Program.Run(command + ["-o", folder.path(name)]).finish()
      #expect(outcome.status == 64 && outcome.errors.contains("PNG"), "\(outcome.errors)")
    }
    #expect(try !folder.names().contains(name))
    #expect(try Program.run("tile", style, "0/0/0", "-o", folder.path("view.PNG")).status == 0)
    #expect(try Program.run("tile", style, "0/0/0", "-o", folder.path("view.tmp")).status == 0)
  }

  @Test("a note of a view is marked as one")
  func note() throws {
    let outcome = try Program.run(
      "render", style, "--center=-100,60", "--zoom", "6", "-o", folder.path("view.png"))
    #expect(outcome.status == 0)
    #expect(
      outcome.errors.hasPrefix("note: nothing of the data lies in the view"), "\(outcome.errors)")
  }

  @Test("a view crosses the antimeridian")
  func antimeridian() throws {
    let file = folder.path("view.png")
    let outcome = try Program.run(
      "render", style, "--center=180,-30", "--zoom", "0", "--size", "512x64", "-o", file)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let picture = try PNGDecoder().decode(folder.bytes("view.png"))
    // The antimeridian is in the middle: 0 to 90° E begins at the view's left edge, and at its right.
    #expect(picture[10, 32].alpha == 255)
    #expect(picture[200, 32] == .transparent && picture[300, 32] == .transparent)
  }

  @Test("addresses with local:// are paths in the folder of an option or of the environment")
  func local() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("assets/geojson"), withIntermediateDirectories: true)
    try folder.write(
      #"{"type": "Polygon", "coordinates": [[[-9,-9],[9,-9],[9,9],[-9,9],[-9,-9]]]}"#,
      to: "assets/geojson/square.json")
    let dots = Pixmap(width: 4, height: 4)
    dots.clear(to: PremultipliedColor(bits: 0xFF00_FF00))
    try Data(PNGEncoder().encode(dots)).write(
      to: URL(fileURLWithPath: folder.path("assets/sheet.png")))
    try folder.write(
      #"{"dots": {"x": 0, "y": 0, "width": 4, "height": 4}}"#, to: "assets/sheet.json")
    let style = try folder.write(
      """
      {"version": 8, "metadata": {"test": {"width": 8}}, "sprite": "local://sheet",
       "glyphs": "local://glyphs/{fontstack}/{range}.pbf",
       "sources": {"s": {"type": "geojson", "data": "local://geojson/square.json"}},
       "layers": [{"id": "f", "type": "fill", "source": "s", "paint": {"fill-pattern": "dots"}}]}
      """, to: "local.json")
    let view = ["render", style, "--center=0,0", "--zoom", "1", "--size", "8x8", "-o"]
    let given = try Program.Run(
      view + [folder.path("a.png"), "--local", folder.path("assets")]
    ).finish()
    #expect(given.status == 0, "\(given.errors)")
    let picture = try PNGDecoder().decode(folder.bytes("a.png"))
    #expect(picture.pixels.allSatisfy { $0 == 0xFF00_FF00 })
    let environment = try Program.Run(
      view + [folder.path("b.png")], in: nil,
      environment: ["QUADRILLE_LOCAL": folder.path("assets")]
    ).finish()
    #expect(environment.status == 0, "\(environment.errors)")
    #expect(try folder.bytes("a.png") == folder.bytes("b.png"))
    let refused = try Program.Run(view + [folder.path("c.png")]).finish()
    #expect(refused.status == 78)
    #expect(refused.errors.contains("a path in the folder of --local"))
  }

  @Test("a view without a place is that of the style, or of the pipeline's 'view'")
  func camera() throws {
    let source = """
      "sources": {"s": {"type": "geojson", "data": {"type": "Polygon",
       "coordinates": [[[0,0],[90,0],[90,-66],[0,-66],[0,0]]]}}},
       "layers": [{"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": "red"}}]
      """
    func picture(_ text: String, _ options: [String] = []) throws -> [UInt8] {
      let file = try folder.write(text, to: "camera.json")
      let run = try Program.Run(
        ["render", file, "--size", "60x40", "-o", folder.path("camera.png")] + options)
      let outcome = try run.finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try folder.bytes("camera.png")
    }
    let given = try picture(
      "{\"version\": 8, \(source)}", ["--center=3,-2", "--zoom", "2.5"])
    #expect(
      try picture("{\"version\": 8, \"center\": [3, -2], \"zoom\": 2.5, \(source)}") == given)
    let pipeline = """
      {"version": 1, "view": {"center": [3, -2], "zoom": 2}, "tiles": {"tileSize": 512, "maxzoom": 3},
       \(source)}
      """
    #expect(
      try picture(pipeline) == picture(pipeline, ["--center=3,-2", "--zoom", "2"]))
    // Beyond the tiles of the archive, and with either part in the place of the file's.
    #expect(
      try picture(
        "{\"version\": 8, \"center\": [3, -2], \"zoom\": 9, \(source)}", ["--zoom", "2.5"])
        == given)
    let nowhere = try folder.write("{\"version\": 1, \(source)}", to: "nowhere.json")
    let refused = try Program.run("render", nowhere, "-o", folder.path("x.png"))
    #expect(refused.status == 64 && refused.errors.contains("--bbox"))
  }

  @Test(
    "a view with invalid options is a usage error",
    arguments: [
      ["--center=0,0", "--zoom", "22.5", "--size", "60x40"],
      ["--center=0", "--zoom", "1", "--size", "60x40"],
      ["--center=0,0", "--zoom", "1", "--size", "60"],
      ["--center=0,0", "--zoom", "1", "--size", "60x40", "--ratio", "5"],
      ["--center=0,0", "--zoom", "1", "--bbox=0,0,1,1"],
    ])
  func usage(options: [String]) throws {
    let run = try Program.Run(
      ["render", style] + options + ["-o", folder.path("x.png")], in: nil, environment: [:])
    let outcome = try run.finish()
    #expect(outcome.status == 64)
  }
}
