import Foundation
import PNG
import Raster
import TestSupport
import Testing

@Suite("A series of images, by the program")
struct SeriesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      version: 1
      name: rain
      sources:
        rain: {type: image-series, frames: 'in/*.png', time: '%Y%m%d%H', bounds: [-12, 48, 5, 61]}
      layers: [{id: rain, type: raster, source: rain}]
      tiles: {maxzoom: 2}
      output: {path: rain.mbtiles}
      """, to: "rain.yml")
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    for hour in 1...4 { try write(hour, shade: 0.2 * Double(hour)) }
  }

  private func write(_ hour: Int, shade: Double) throws {
    let picture = Pixmap(width: 20, height: 30)
    picture.clear(to: PremultipliedColor(Color(red: shade, green: 0.5, blue: 0.9)))
    try Data(PNGEncoder().encode(picture)).write(
      to: folder.url.appendingPathComponent("in/201401190\(hour).png"))
  }

  private struct Manifest: Decodable {
    struct Frame: Decodable {
      var file: String
    }
    var frames: [Frame]
  }

  /// Archives that the manifest in place names and that are not there.
  private func missing() throws -> [String] {
    let manifest = try JSONDecoder().decode(
      Manifest.self, from: Data(folder.bytes("rain.frames.json")))
    return manifest.frames.map(\.file).filter {
      !FileManager.default.fileExists(atPath: folder.path($0))
    }
  }

  @Test("an image series is checked, built, found unchanged, inspected, verified and drawn")
  func commands() throws {
    let check = try Program.run("check", "rain.yml", in: folder)
    #expect(check.status == 0 && check.output.contains("rain has 4 frames"), "\(check.errors)")
    let build = try Program.run("build", "rain.yml", in: folder)
    #expect(build.status == 0 && build.output.contains("rain: published"), "\(build.errors)")
    let again = try Program.run("build", "rain.yml", in: folder)
    #expect(again.status == 0 && again.output.contains("rain: unchanged"), "\(again.errors)")
    let inspect = try Program.run("inspect", "rain.frames.json", in: folder)
    #expect(inspect.output.contains("rain/2014-01-19T0300Z.mbtiles"), "\(inspect.errors)")
    let verify = try Program.run("verify", "rain.frames.json", in: folder)
    #expect(verify.status == 0 && verify.output.contains("sound: 4 archives"), "\(verify.errors)")
    let tile = try Program.run(
      "tile", "rain.yml", "1/0/0", "--frame", "2014-01-19T02:00Z", "-o", "a.png", in: folder)
    #expect(tile.status == 0, "\(tile.errors)")
    let other = try Program.run("tile", "rain.yml", "1/0/0", "-o", "b.png", in: folder)
    #expect(other.status == 0, "\(other.errors)")
    #expect(try folder.bytes("a.png") != folder.bytes("b.png"))
    let none = try Program.run("tile", "rain.yml", "1/0/0", "--frame", "2015", in: folder)
    #expect(none.status == 64, "\(none.errors)")
    try folder.write("no archive", to: "rain/2014-01-19T0200Z.mbtiles")
    let damaged = try Program.run("verify", "rain.frames.json", in: folder)
    #expect(damaged.status == 65 && damaged.errors.contains("T0200Z"), "\(damaged.errors)")
  }

  @Test("an image series killed at any time leaves a manifest whose files exist")
  func killed() throws {
    #expect(try Program.run("build", "-q", "rain.yml", in: folder).status == 0)
    for attempt in 0..<6 {
      for hour in 1...4 { try write(hour, shade: 0.1 * Double(attempt)) }
      let run = try Program.Run(["build", "-q", "rain.yml"], in: folder)
      usleep(UInt32(50_000 + attempt * 150_000))
      kill(run.process.processIdentifier, SIGKILL)
      _ = try run.finish()
      #expect(try missing().isEmpty, "attempt \(attempt)")
    }
    let run = try Program.run("build", "-q", "rain.yml", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Program.run("verify", "-q", "rain.frames.json", in: folder).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("rain"))
    #expect(names.count == 5 && !names.contains { $0.contains("tmp") }, "\(names)")
  }

  @Test("an image series reports a broken frame and ends with 65, or continues without it")
  func broken() throws {
    try folder.write("<html>", to: "in/2014011902.png")
    let run = try Program.run("build", "rain.yml", in: folder)
    #expect(run.status == 0 && run.output.contains("in/2014011902.png"), "\(run.errors)")
    let text = try String(contentsOfFile: folder.path("rain.yml"), encoding: .utf8)
    try folder.write(
      text.replacing("image-series,", with: "image-series, onMissing: fail,"), to: "rain.yml")
    let failed = try Program.run("build", "rain.yml", in: folder)
    #expect(failed.status == 65 && failed.errorLines.count == 1, "\(failed.errors)")
    #expect(failed.errors.contains("in/2014011902.png"), "\(failed.errors)")
    try FileManager.default.removeItem(atPath: folder.path("in"))
    #expect(try Program.run("build", "rain.yml", in: folder).status == 66)
  }
}
