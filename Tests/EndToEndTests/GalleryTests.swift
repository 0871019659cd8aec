import Foundation
import Raster
import TestSupport
import Testing
import TileCodecs

/// The maps of docs/gallery.md. With `QUADRILLE_BLESS=1` their pictures are drawn anew; look at them.
@Suite("docs/gallery.md")
struct GalleryTests {
  /// A map: its pipeline, and the command that draws its picture.
  struct Map: Sendable, CustomTestStringConvertible {
    let file: String
    let pipeline: String
    let command: [String]

    var testDescription: String { file }

    /// The name of the picture.
    var picture: String { command.last ?? "" }
  }

  static let maps: [Map] = {
    let blocks = (try? CodeBlock.blocks(of: "docs/gallery.md")) ?? []
    return zip(blocks, blocks.dropFirst()).compactMap { yaml, shell in
      guard yaml.language == "yaml", shell.language == "sh", let command = shell.commands.first
      else { return nil }
      let file = yaml.text.prefix { $0 != "\n" }.dropFirst(2)
      return Map(file: String(file), pipeline: yaml.text, command: command)
    }
  }()

  private static let gallery = packageRoot.appendingPathComponent("docs/gallery")

  /// A folder with the data of the gallery and the pipeline of a map.
  private func folder(_ map: Map) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.gallery.path) {
      try FileManager.default.copyItem(
        at: Self.gallery.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
    }
    try folder.write(map.pipeline, to: map.file)
    return folder
  }

  @Test("has a dozen maps, each with its picture at two pixels a point, of at most 150 kB")
  func sizes() throws {
    #expect(Self.maps.count >= 12)
    #expect(Set(Self.maps.map(\.file)).count == Self.maps.count)
    let images = try CodeBlock.text("docs/gallery.md").matches(
      of: /<img src="gallery\/(.+?)" width="(\d+)" alt=".+">/)
    #expect(images.map { String($0.1) } == Self.maps.map(\.picture))
    for image in images {
      let picture = try Data(contentsOf: Self.gallery.appendingPathComponent(String(image.1)))
      #expect(picture.count <= 150_000, "\(image.1): \(picture.count) bytes")
      #expect(try TileDecoder().decode([UInt8](picture)).width == 2 * (Int(image.2) ?? 0))
    }
  }

  @Test("a picture is what its command draws", arguments: maps)
  func picture(map: Map) throws {
    let folder = try folder(map)
    try? FileManager.default.removeItem(atPath: folder.path(map.picture))
    let run = try Program.Run(map.command, in: folder).finish()
    #expect(run.status == 0, "\(run.errors)")
    let drawn = try folder.bytes(map.picture)
    let file = Self.gallery.appendingPathComponent(map.picture)
    if ProcessInfo.processInfo.environment["QUADRILLE_BLESS"] == "1" {
      try Data(drawn).write(to: file)
      return
    }
    let picture = try TileDecoder().decode(drawn)
    let shown = try TileDecoder().decode([UInt8](Data(contentsOf: file)))
    #expect(picture.width == shown.width && picture.height == shown.height)
    guard picture.width == shown.width, picture.height == shown.height else { return }
    #expect(picture.colors.count > 5)
    // Another version of FreeType or HarfBuzz moves the edges of letters a little.
    let share = picture.differing(from: shown)
    #expect(share < 0.01, "\(share) of the pixels differ; if that is meant, run 'make bless'")
  }

  @Test("a map builds", arguments: maps)
  func build(map: Map) throws {
    let folder = try folder(map)
    let zoom = map.pipeline.contains("minzoom: 13") ? "13" : "5"
    let run = try Program.run("build", "-q", map.file, "-z", zoom, in: folder)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
  }
}

extension Pixmap {
  /// The different colours.
  var colors: Set<PremultipliedColor> {
    Set((0..<height).flatMap { y in (0..<width).map { x in self[x, y] } })
  }

  /// Returns the share of pixels that differ visibly from those of a picture of the same size.
  func differing(from other: Pixmap) -> Double {
    var count = 0
    for y in 0..<height {
      for x in 0..<width where !self[x, y].resembles(other[x, y]) { count += 1 }
    }
    return Double(count) / Double(max(1, width * height))
  }
}

extension PremultipliedColor {
  /// Whether no channel differs by more than 24 of 255.
  fileprivate func resembles(_ other: PremultipliedColor) -> Bool {
    zip([red, green, blue, alpha], [other.red, other.green, other.blue, other.alpha]).allSatisfy {
      abs(Int($0) - Int($1)) <= 24
    }
  }
}
