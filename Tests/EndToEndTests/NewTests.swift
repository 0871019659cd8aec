import Foundation
import TestSupport
import Testing

@Suite("quadrille new") struct NewCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("name,lng,lat\nBerlin,13.4,52.5\nParis,2.35,48.86\n", to: "cities.csv")
  }

  @Test("new writes a pipeline in the current folder that builds, and replaces it only by --force")
  func writes() throws {
    let first = try Program.run("new", "cities.csv", in: folder)
    #expect(first.status == 0 && first.errors.isEmpty, "\(first)")
    #expect(first.output.hasSuffix("next: quadrille build cities.yml\n"))
    #expect(try folder.names() == ["cities.csv", "cities.yml"])
    let text = try folder.bytes("cities.yml")
    let second = try Program.run("new", "cities.csv", in: folder)
    #expect(second.status == 73 && second.errors.contains("--force"), "\(second)")
    #expect(try folder.bytes("cities.yml") == text)
    #expect(try Program.run("new", "-f", "-q", "cities.csv", in: folder).status == 0)
    #expect(try folder.bytes("cities.yml") == text)
    let built = try Program.run("build", "-z", "3", "cities.yml", in: folder)
    #expect(built.status == 0 && built.output.contains("cities: published"), "\(built)")
  }

  @Test("new -o - prints the pipeline and writes nothing")
  func prints() throws {
    let run = try Program.run("new", "cities.csv", "-o", "-", in: folder)
    #expect(run.status == 0 && run.output.hasPrefix("# cities: 2 points"), "\(run)")
    #expect(try folder.names() == ["cities.csv"])
    let own = try Program.run("new", "cities.csv", "-f", "-o", "./cities.csv", in: folder)
    #expect(own.status == 64 && own.errors.contains("one of the files"), "\(own)")
    #expect(try Program.run("new", "nowhere.csv", in: folder).status == 66)
  }

  @Test("build, check and plan say what to type where data is named instead of a pipeline")
  func advice() throws {
    for command in ["build", "check", "plan"] {
      let run = try Program.run(command, "cities.csv", in: folder)
      #expect(run.status == 78 && run.errors.contains("quadrille new cities.csv"), "\(run)")
    }
  }

  @Test(
    "preview of data shows it without writing anything beside it", .enabled(if: Self.hasLeaflet))
  func preview() throws {
    let page = folder.path("page")
    let run = try Program.run("preview", "cities.csv", "--export", page, "-z", "2", in: folder)
    #expect(run.status == 0 && run.output.contains("files"), "\(run)")
    #expect(try folder.names() == ["cities.csv", "page", "page.zip"])
  }

  private static let hasLeaflet =
    ["/usr/share/javascript/leaflet/leaflet.js", "/usr/lib/node_modules/leaflet/dist/leaflet.js"]
    .contains { FileManager.default.fileExists(atPath: $0) }
}
