import Foundation
import TestSupport
import Testing

@Suite("Pipelines that publish the same files") struct SharedOutputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("lng,lat\n8,50\n", to: "places.csv")
    try folder.write("", to: "one/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("two"), withDestinationPath: "one")
  }

  /// Writes a pipeline as JSON, which is also YAML.
  private func write(_ name: String, _ more: String = "", color: String = "red") throws {
    try folder.write(
      """
      {"version": 1,
       "sources": {"places": {"type": "csv", "data": "\(folder.path("places.csv"))"}},
       "layers": [{"id": "a", "type": "circle", "source": "places",
                   "paint": {"circle-color": "\(color)"}}],
       "tiles": {"maxzoom": 1}\(more.isEmpty ? "" : ",\n \(more)")}
      """, to: name)
  }

  private func output(_ path: String) -> String { "\"output\": {\"path\": \"\(path)\"}" }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.Run(arguments, in: folder).finish()
  }

  private func notes(_ report: String) throws -> [String] {
    let json = try JSONSerialization.jsonObject(with: Data(try folder.bytes(report)))
    return (json as? [String: Any])?["notes"] as? [String] ?? []
  }

  @Test(
    "two pipelines of one command with one output are refused before anything is built",
    arguments: [
      ("map.yml", "", "map.json", "", ["map.yml:1:", "map.json:1:"]),
      ("a.yml", "out.mbtiles", "b.yml", "./one/../out.mbtiles", ["a.yml:6:", "b.yml:6:"]),
      ("a.yml", "one/out.mbtiles", "b.yml", "two/out.mbtiles", ["a.yml:6:", "b.yml:6:"]),
      ("a.yml", "out.mbtiles", "b.yml", "out.pmtiles", ["a.yml:6:", "b.yml:6:"]),
    ])
  func refused(
    first: String, firstPath: String, second: String, secondPath: String, places: [String]
  ) throws {
    try write(first, firstPath.isEmpty ? "" : output(firstPath))
    try write(second, secondPath.isEmpty ? "" : output(secondPath))
    for command in ["build", "check"] {
      let outcome = try run(command, first, second)
      #expect(outcome.status == 78, "\(outcome.errors)")
      #expect(places.allSatisfy(outcome.errors.contains), "\(outcome.errors)")
      #expect(outcome.errorLines.count { $0.hasPrefix("error: ") } == 1)
    }
    #expect(try !folder.names().contains { $0.hasSuffix(".report.json") })
  }

  @Test("pipelines with outputs of their own, and one that is named twice, are built")
  func accepted() throws {
    try write("a.yml")
    try write("b.yml")
    #expect(try run("build", "-q", "a.yml", "b.yml", "./a.yml").status == 0)
    #expect(try notes("a.report.json") == [] && notes("b.report.json") == [])
  }

  @Test("an archive of another pipeline is replaced with a note, and one of the same without")
  func replaced() throws {
    try write("one/map.yml")
    try write("one/map.json", color: "blue")
    #expect(try run("build", "-q", "one/map.yml").status == 0)
    #expect(try run("build", "-q", "one/map.json").status == 0)
    let told = try notes("one/map.report.json")
    #expect(told.count == 1 && told[0].contains("another pipeline"), "\(told)")
    #expect(told.first?.contains("one/map.yml") == true, "\(told)")
    // The same one, changed, from another folder and at another place.
    try write("one/map.json", color: "green")
    try FileManager.default.moveItem(atPath: folder.path("one"), toPath: folder.path("three"))
    #expect(try run("build", "-q", folder.path("three/map.json")).status == 0)
    #expect(try notes("three/map.report.json") == [])
  }

  @Test("another container of another pipeline with the same report is told in a note")
  func containers() throws {
    try write("a.yml", output("out.mbtiles"))
    try write("b.yml", output("out.pmtiles"))
    #expect(try run("build", "-q", "a.yml").status == 0)
    #expect(try run("build", "-q", "b.yml").status == 0)
    let told = try notes("out.report.json")
    #expect(told.count == 1 && told[0].contains("report and the sidecars"), "\(told)")
  }
}
