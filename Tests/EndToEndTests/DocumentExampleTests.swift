import Foundation
import MBTiles
import PNG
import Raster
import SystemPackage
import TestSupport
import Testing

/// The examples of README, docs/ and pipelines/README.md; those of the gallery and the tutorial have
/// tests of their own.
@Suite("Examples in the documents")
struct DocumentExampleTests {
  private static let pages: Set = ["docs/gallery.md", "docs/tutorial.md"]

  /// The blocks of YAML that are pipelines or parts of them.
  static let pipelines = CodeBlock.all("yaml").filter {
    !pages.contains($0.document) && !$0.text.hasPrefix("apiVersion:")
  }

  static let shells = CodeBlock.all("sh").filter { !$0.commands.isEmpty }

  /// The keys that begin a line of the block.
  private static func keys(of text: String) -> [String] {
    text.matches(of: /(?m)^([A-Za-z]+):/).map { String($0.1) }
  }

  /// The pipeline that a block is, or is a part of.
  private static func pipeline(of block: CodeBlock) -> String {
    let keys = keys(of: block.text)
    if keys.contains("version") || keys.contains("stores") { return block.text }
    guard keys.contains("sources") || keys.contains("tiles") else {
      let lines = block.text.split(separator: "\n").map { "  \($0)" }
      return "version: 1\nsources:\n" + lines.joined(separator: "\n")
        + "\ntiles: {maxzoom: 4, bounds: [5, 45, 9, 49]}\n"
    }
    let source =
      keys.contains("sources")
      ? ""
      : """
      sources: {stores: {type: csv, data: stores.csv}}
      layers: [{id: bubble, type: circle, source: stores}]

      """
    return "version: 1\n" + source + block.text
  }

  /// Decodes the pipeline. What follows after its keys were accepted needs data, a network or
  /// another program's files, which an excerpt does not have.
  @Test("a block of YAML is a pipeline, or a part of one", arguments: pipelines)
  func decodes(block: CodeBlock) throws {
    let examples = try ExampleFolder()
    // The sample of the hotels has no header.
    let file = block.text.contains("columns:") ? "pipelines/example.yml" : "example.yml"
    try examples.folder.write(Self.pipeline(of: block), to: file)
    let isConverted = block.text.contains("type: ogr")
    let run = try Program.run(
      "plan", "--offline", file, in: examples.folder,
      environment: [
        "TOKEN": "secret", "HOTELS_DATABASE": "PG:host=127.0.0.1 port=1 dbname=gis user=reader",
      ])
    guard !isConverted || InstalledGDAL.isThere else {
      // The example's file is missing, or the program that reads it.
      #expect([66, 78].contains(run.status), "\(run.errors)")
      return
    }
    // Of a database that is not there nothing can be read.
    #expect((isConverted ? [0, 66, 74] : [0, 66, 69]).contains(run.status), "\(run.errors)")
  }

  @Test(
    "a whole pipeline draws something",
    arguments: pipelines.filter {
      $0.text.hasPrefix("version:") && !$0.text.contains("https://")
    })
  func draws(block: CodeBlock) throws {
    let examples = try ExampleFolder()
    let folder = block.document == "pipelines/README.md" ? "pipelines" : "."
    try examples.folder.write(block.text, to: "\(folder)/example.yml")
    let zoom = block.text.contains("minzoom: 13") ? "13" : "4"
    let run = try Program.run("build", "\(folder)/example.yml", "-z", zoom, in: examples.folder)
    #expect(run.status == 0, "\(run.errors)")
    let archive = try #require(
      FileManager.default.subpathsOfDirectory(atPath: examples.folder.url.path).sorted().first {
        $0.hasSuffix(".mbtiles") && !$0.contains("@2x")
      })
    let reader = try ArchiveReader(FilePath(examples.folder.path(archive)))
    var colors: Set<PremultipliedColor> = []
    try reader.forEachTile { _, bytes in
      if let tile = try? PNGDecoder().decode(Array(bytes)) { colors.formUnion(tile.colors) }
    }
    #expect(colors.count > 1)
  }

  // MARK: Commands

  @Test("a command of an example exists, with all its options")
  func options() throws {
    let commands = Self.shells.flatMap(\.commands)
    #expect(commands.count > 30)
    for (name, uses) in Dictionary(grouping: commands, by: { $0[0] }) {
      let help = try Program.run("help", name)
      #expect(help.status == 0, "\(uses[0])")
      for word in uses.joined() where word.hasPrefix("-") && word.count > 1 {
        let option = word.prefix { $0 != "=" }
        #expect(help.output.contains(option), "\(name) has no option \(option)")
      }
    }
  }

  /// The examples of some pages in the order in which they stand.
  static let sequences: [(page: String, commands: [[String]])] = [
    "docs/first-map.md", "docs/series.md", "docs/containers.md", "README.md",
  ].map { page in
    let blocks = shells.filter { $0.document == page }
    return (page, blocks.flatMap(\.commands) + (page == "README.md" ? table : []))
  }

  /// The examples of README's table of commands.
  private static let table: [[String]] = {
    let text = (try? CodeBlock.text("README.md")) ?? ""
    return text.matches(of: /(?m)^\| `[a-z]+` \|.*\| `(quadrille .*)` \|$/).map {
      Array(CodeBlock.words(String($0.1)).dropFirst().prefix { $0 != ">" })
    }
  }()

  @Test("the commands of a page succeed one after the other", arguments: sequences.map(\.page))
  func runs(page: String) throws {
    let commands = try #require(Self.sequences.first { $0.page == page }).commands
    #expect(commands.count >= 3)
    let examples = try ExampleFolder()
    try examples.addPipelines()
    try prepare(examples.folder, for: page)
    for command in commands where command[0] != "preview" {
      if Self.needsMore(command) { continue }
      let words = command.flatMap { word in
        word == "pipelines/*.yml" ? ["pipelines/hotels.yml", "pipelines/rain.yml"] : [word]
      }
      let run = try Program.Run(
        words + Self.limits(of: words, on: page), in: examples.folder
      ).finish()
      #expect(run.status == 0, "\(words): \(run.errors)")
    }
  }

  /// What is added to a command: few zooms, since a debug program takes long for many, and leave to
  /// replace the draft of another example.
  private static func limits(of command: [String], on page: String) -> [String] {
    if command[0] == "new" { return ["-f"] }
    let isDeep = page != "README.md" || command.contains { $0.hasPrefix("pipelines/hotels") }
    return command[0] == "build" && isDeep && !command.contains { $0.contains("rain") }
      ? ["-z", "6"] : []
  }

  /// Makes what the examples of a page take for granted.
  private func prepare(_ folder: TemporaryFolder, for page: String) throws {
    if page == "docs/series.md" {
      let block = try #require(
        CodeBlock.blocks(of: page).first { $0.text.contains("name: events") })
      try folder.write(block.text, to: "events.yml")
    }
    guard page == "docs/containers.md" || page == "README.md" else { return }
    try folder.write(
      """
      version: 1
      sources: {stores: {type: csv, data: stores.csv}}
      layers: [{id: disc, type: circle, source: stores}]
      tiles: {maxzoom: 6, bounds: [-90, 24, -70, 45]}
      """, to: "stores.yml")
    for archive in ["hotels", "old", "new", "stores"] {
      let run = try Program.run("build", "stores.yml", "-o", "\(archive).mbtiles", in: folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    let packed = try Program.run("build", "stores.yml", "-o", "stores.pmtiles", in: folder)
    #expect(packed.status == 0, "\(packed.errors)")
    #expect(
      try Program.run("diff", "old.mbtiles", "new.mbtiles", "-o", "x.delta", in: folder).status == 0
    )
  }

  /// Whether a command needs what another example left, such as the painted parts of a plan, or a
  /// server.
  private static func needsMore(_ command: [String]) -> Bool {
    ["basemap", "merge", "rollback"].contains(command[0]) || command.contains("--shards")
      || command.contains { $0.hasSuffix(".gpkg") && $0.hasPrefix("rivers") }
  }
}
