import Baking
package import Definition
import Foundation
import PNG
package import Painting
import Pipeline
package import Raster
package import Reports
import Reuse
import Runs
package import Scenes
package import TestSupport
import Tiling

/// A pipeline over one small image, in a folder of its own.
package struct ImageSample {
  package let folder: TemporaryFolder
  package let file: String

  /// - Parameters:
  ///   - source: keys of the source `photo` besides its type and url.
  ///   - layers: a list in YAML's flow form.
  ///   - more: other sources.
  package init(
    _ image: Pixmap = ImageSample.blots(), source: String = "bounds: [-40, -30, 95, 60]",
    layers: String = "[{id: r, type: raster, source: photo}]",
    tiles: String = "{minzoom: 0, maxzoom: 2}", more: String = ""
  ) throws {
    folder = try TemporaryFolder()
    try Data(PNGEncoder().encode(image)).write(
      to: URL(fileURLWithPath: folder.path("photo.png")))
    let keys = source.isEmpty ? "" : ", \(source)"
    file = try folder.write(
      """
      version: 1
      name: photo
      sources:
        photo: {type: image, url: photo.png\(keys)}
        \(more)
      layers: \(layers)
      tiles: \(tiles)
      output: {path: photo.mbtiles}
      """, to: "photo.yml")
  }

  /// A sample whose pipeline file and images are there.
  package init(folder: TemporaryFolder, file: String) {
    self.folder = folder
    self.file = file
  }

  /// Opaque and thin discs of many colours on nothing; the same every time.
  package static func blots(width: Int = 70, height: Int = 50) -> Pixmap {
    var random = SplitMix64(seed: 31)
    let picture = Pixmap(width: width, height: height)
    for _ in 0..<12 {
      let (x, y, radius) = (random.below(width), random.below(height), 2 + random.below(9))
      let color = PremultipliedColor(
        Color(
          red: random.number(in: 0..<1), green: random.number(in: 0..<1),
          blue: random.number(in: 0..<1), alpha: random.pick([1, 1, 0.5, 0.1])))
      for row in max(y - radius, 0)..<min(y + radius, height) {
        for column in max(x - radius, 0)..<min(x + radius, width)
        where (row - y) * (row - y) + (column - x) * (column - x) < radius * radius {
          picture[column, row] = color
        }
      }
    }
    return picture
  }

  package func definition() throws -> PipelineDefinition {
    try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  package func build() throws -> BuildReport {
    try PipelineRunner.build(
      definition(), options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })[0]
  }

  /// The scenes of one zoom and what painted them.
  package func scenes(zoom: Int, tileSize: Int = 256, scale: Int = 1, threads: Int = 1) throws
    -> (painters: PainterFactory, scenes: ZoomScenes)
  {
    var definition = try definition()
    definition.tiles.tileSize = tileSize
    var options = BuildOptions()
    options.threads = threads
    let view = try definition.build(RunContext(options: options)).zoomView(
      ZoomWindow(zoom: zoom, bounds: WorldBox(.world)), scale: scale)
    return (view.painters, view.scenes)
  }

  /// All tiles of a zoom side by side, as their PNGs show them.
  package func world(zoom: Int, tileSize: Int = 256, scale: Int = 1) throws -> Pixmap {
    let made = try scenes(zoom: zoom, tileSize: tileSize, scale: scale)
    let side = tileSize * scale
    let whole = Pixmap(width: side << zoom, height: side << zoom)
    let painter = try made.painters.painter()
    for index in 0..<made.scenes.count {
      let tile = made.scenes.tile(index)
      var png: [UInt8] = []
      try painter.paint(index, of: made.scenes, into: &png)
      whole.replace(with: try PNGDecoder().decode(png), x: tile.x * side, y: tile.y * side)
    }
    return whole
  }
}

extension Pixmap {
  /// The number of pixels that are not the same.
  package func differences(from other: Pixmap) -> Int {
    zip(pixels, other.pixels).count { $0 != $1 }
  }

  /// The premultiplied colours that occur.
  package var colors: Set<UInt32> { Set(pixels) }
}
