import Foundation
import Platform
import SQLite
import TestSupport
import Testing

/// Inputs that hold a run up, and names that reach the terminal.
@Suite("Hostile inputs of commands") struct HostileInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a database whose tiles are searched without an end, and a pipeline that draws them.
  private func writeEndless() throws {
    try folder.write(
      """
      version: 1
      sources: {s: {type: vector, data: endless.mbtiles}}
      layers: [{id: a, type: circle, source: s, source-layer: a}]
      tiles: {maxzoom: 2}
      """, to: "a.yml")
    let database = try Database(path: folder.path("endless.mbtiles"), mode: .create)
    try database.execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      INSERT INTO metadata VALUES ('format', 'pbf'), ('json', '{"vector_layers": [{"id": "a"}]}');
      CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i % 30 AS zoom_level, i AS tile_column, 0 AS tile_row, x'00' AS tile_data FROM n
        WHERE i % 7 = 9;
      """)
  }

  private static let commands = [
    ["new", "endless.mbtiles"], ["build", "a.yml"], ["plan", "a.yml"], ["check", "a.yml"],
    ["query", "a.yml"],
  ]

  @Test("a signal ends a run that an endless view holds up", arguments: Self.commands)
  func signal(_ words: [String]) throws {
    try writeEndless()
    let run = try Program.Run(words, in: folder)
    Thread.sleep(forTimeInterval: 1)
    #expect(run.process.isRunning)
    kill(run.process.processIdentifier, SIGTERM)
    let outcome = try run.finish()
    #expect(outcome.status == 143, "\(outcome)")
  }

  @Test("the end of its time ends a build that an endless view holds up")
  func deadline() throws {
    try writeEndless()
    let run = try Program.run("build", "a.yml", "--max-seconds", "1", in: folder)
    #expect(run.status == 75, "\(run)")
  }

  @Test(
    "control characters of names are shown as escapes",
    arguments: ["a\u{1B}[31mred.csv", "a\u{7}.yml", "b\u{9B}2J.mbtiles", "c\r.csv"])
  func controls(_ name: String) throws {
    try folder.write("lng,lat\n1,2\n", to: name)
    for words in [
      ["check", name], ["build", name], ["inspect", name], ["new", name], ["verify", name],
      ["query", name], ["check", "no" + name], ["plan", name],
    ] {
      let run = try Program.Run(words, in: folder).finish()
      let shown = run.errors + run.output
      let controls = shown.unicodeScalars.filter { scalar in
        scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
      }
      #expect(controls.isEmpty, "\(words): \(shown.debugDescription)")
    }
  }

  @Test("a damaged tileset is bad data for a query", arguments: ["x.mbtiles", "x.pmtiles"])
  func damaged(_ name: String) throws {
    let head = name == "x.mbtiles" ? "SQLite format 3\0" : "PMTiles\u{3}"
    try folder.write(head + String(repeating: "no", count: 600), to: name)
    let run = try Program.run("query", name, in: folder)
    #expect(run.status == 65, "\(run)")
    #expect(!run.errors.contains("pictures"))
  }
}
