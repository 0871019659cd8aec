package import Definition
import Foundation
package import Overlays
import PNG
package import Raster
package import Reports
import Reuse
import Runs
import Series
package import TestSupport

/// A pipeline over a small series of images, in a folder of its own.
package struct SeriesSample {
  package let folder: TemporaryFolder
  package let file: String

  /// - Parameters:
  ///   - hours: the frames of 19 January 2014.
  ///   - source: keys of the series besides type, frames, time and bounds, each with a comma before.
  package init(
    hours: [Int] = [6, 7, 8], source: String = "", frames: String? = nil,
    layers: String = "[{id: r, type: raster, source: rain}]",
    tiles: String = "{minzoom: 0, maxzoom: 1}", more: String = ""
  ) throws {
    folder = try TemporaryFolder()
    let frames = frames ?? "frames: 'in/*.png', time: '%Y%m%d%H', bounds: [-12, 48, 5, 61]"
    file = try folder.write(
      """
      version: 1
      name: weather
      sources:
        rain: {type: image-series, \(frames)\(source)}
        \(more)
      layers: \(layers)
      tiles: \(tiles)
      output: {path: rain.mbtiles}
      """, to: "rain.yml")
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    for hour in hours { try write(hour) }
  }

  package static func name(_ hour: Int) -> String {
    "in/20140119\(hour < 10 ? "0" : "")\(hour).png"
  }

  /// A disc that moves eastward hour by hour.
  package static func picture(_ hour: Int, width: Int = 24, height: Int = 30) -> Pixmap {
    let picture = Pixmap(width: width, height: height)
    picture.clear()
    let (x, y) = (hour * 2 % width, height / 2)
    for row in 0..<height {
      for column in 0..<width where (row - y) * (row - y) + (column - x) * (column - x) < 40 {
        picture[column, row] = PremultipliedColor(Color(red: 0.1, green: 0.4, blue: 0.9))
      }
    }
    return picture
  }

  package func write(_ hour: Int, _ picture: Pixmap? = nil, name: String? = nil) throws {
    let bytes = PNGEncoder().encode(picture ?? Self.picture(hour))
    try write(bytes, to: name ?? Self.name(hour))
  }

  package func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: folder.url.appendingPathComponent(name))
  }

  package func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder.path(name))
  }

  package func definition() throws -> PipelineDefinition {
    try PipelineDefinition(contentsOf: file, environment: { $0 == "KEY" ? "s3cret-key" : nil })
  }

  @discardableResult
  package func build(
    threads: Int = 1, force: Bool = false,
    beforeStep: @escaping (FramePublicationStep) throws -> Void = { _ in }
  ) throws -> BuildReport {
    try reports(threads: threads, force: force, beforeStep: beforeStep)[0]
  }

  package func reports(
    threads: Int = 1, force: Bool = false,
    beforeStep: @escaping (FramePublicationStep) throws -> Void = { _ in }
  ) throws -> [BuildReport] {
    var options = BuildOptions()
    options.threads = threads
    options.force = force
    let build = try definition().build(RunContext(options: options))
    return try SeriesBuild(build: build, beforeStep: beforeStep).run()
  }

  /// Files that the build made, by name, with their bytes; not the report, which holds times.
  package func outputs() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    let all = FileManager.default.enumerator(atPath: folder.url.path)
    while let name = all?.nextObject() as? String {
      guard name.hasPrefix("rain"), name != "rain.yml", !name.hasSuffix("report.json") else {
        continue
      }
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder.path(name), isDirectory: &isFolder)
      if !isFolder.boolValue { files[name] = try folder.bytes(name) }
    }
    return files
  }

  /// The manifest in place.
  package func manifest(_ name: String = "rain.frames.json") throws -> Manifest {
    try JSONDecoder().decode(Manifest.self, from: Data(folder.bytes(name)))
  }

  /// Archives of the manifest that are not there.
  package func missingFiles() throws -> [String] {
    try manifest().frames.map(\.file).filter {
      !FileManager.default.fileExists(atPath: folder.path($0))
    }
  }

  /// What tests look at of a manifest.
  package struct Manifest: Decodable {
    package struct Frame: Decodable {
      package var time: String
      package var file: String
      package var sha256: String
      package var duration: Int
    }
    package struct Gap: Decodable {
      package var from: String
      package var to: String
      package var missing: Int
      package var policy: String
    }
    package var frames: [Frame]
    package var gaps: [Gap]
    package var unusable: [String]
    package var `default`: String
    package var loop: Bool
    package var frameDuration: Int
  }
}
