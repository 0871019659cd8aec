import DefinitionSamples
import Features
import Foundation
import JSON
import MBTiles
import Pictures
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Definition
@testable import Pipeline
@testable import ReportPages
@testable import Reports
@testable import Runs

@Suite("The report as a page")
struct ReportPageTests {
  /// A pipeline whose names and records try to become markup.
  private struct HostileSample {
    static let name = "<script>alert(1)</script> & \"co\" \u{202E}txt"
    static let source = "a\"><img src=x onerror='alert(2)'>"
    let folder: TemporaryFolder
    let file: String

    init(rows: Int = 60, moved: Bool = false) throws {
      folder = try TemporaryFolder()
      try Self.write(rows: rows, moved: moved, in: folder)
      file = folder.path("sample.yml")
      try folder.write(
        """
        version: 1
        name: \(Self.json(Self.name))
        args:
          SECRET: hunter2-very-secret
          SIDE: "5"
        sources:
          \(Self.json(Self.source)):
            {type: csv, data: places.csv, onError: {max: 20}, id: name, cluster: true, clusterMaxZoom: 2}
        layers:
          - {id: disc, type: circle, source: \(Self.json(Self.source)), filter: ["!=", [get, name], "${SECRET}"]}
        tiles: {maxzoom: 4, snap: 1}
        # https://user:word@example.com/x?key=abc&box={west} is hidden in part
        output: {path: out.mbtiles}
        """, to: "sample.yml")
    }

    static func write(rows: Int, moved: Bool, in folder: TemporaryFolder) throws {
      var random = SplitMix64(seed: 4)
      var lines = (0..<rows).map { row in
        "\(random.below(340) - 170),\(random.below(120) - 60),Place \(row)"
      }
      if moved { lines[7] = "11,12,Place 7" }
      for row in 0..<7 { lines.insert("1,<b>\(row)</b>,x", at: row * 5) }
      lines.append("1,2,\"<i>open")
      try folder.write("lng,lat,name\n" + lines.joined(separator: "\n"), to: "places.csv")
    }

    private static func json(_ text: String) -> String { ReportJSON.string(text).line }

    func definition() throws -> PipelineDefinition {
      try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    }

    func build() throws -> (reports: [BuildReport], page: String) {
      var options = BuildOptions()
      options.picturesChanges = true
      let definition = try definition()
      let reports = try PipelineRunner.build(
        definition, options: options, cancellation: Cancellation(), progress: { _ in })
      let page = ReportPage([.init(definition: definition, reports: reports)]).html
      return (reports, page)
    }
  }

  /// The elements that are not closed, or closed but not open; no element of a page may be.
  private func faults(in page: String) -> [String] {
    let empty: Set = ["meta", "img", "br"]
    var open: [String] = []
    var faults: [String] = []
    var rest = page[...]
    while let start = rest.firstIndex(of: "<") {
      guard let end = rest[start...].firstIndex(of: ">") else {
        faults.append("a tag has no end")
        break
      }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      let name = String(tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber })
      if tag.hasPrefix("!") || empty.contains(name) { continue }
      if tag.hasPrefix("/") {
        if open.last == name { open.removeLast() } else { faults.append("</\(name)>") }
      } else {
        open.append(name)
      }
    }
    return faults + open
  }

  /// The cells of the rows of the table with a caption, row by row.
  private func rows(of caption: String, in page: String) throws -> [[String]] {
    let start = try #require(page.firstRange(of: "<caption>\(caption)"))
    let rest = page[start.upperBound...]
    let end = try #require(rest.firstRange(of: "</table>"))
    return rest[..<end.lowerBound].split(separator: "<tr>").dropFirst().map { row in
      row.replacing("</th>", with: "</td>").split(separator: "</td>").dropLast().compactMap {
        cell in
        cell.lastIndex(of: ">").map { String(cell[cell.index(after: $0)...]) }
      }
    }
  }

  @Test("the report page is well-formed, and no value of the data becomes markup")
  func hostile() throws {
    let (_, page) = try HostileSample().build()
    #expect(faults(in: page) == [])
    #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
    for markup in ["<script", "<img src=x", "<b>0", "<i>open", "onerror='", "\u{202E}"] {
      #expect(!page.contains(markup), "\(markup)")
    }
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;co&quot;"))
    #expect(page.contains("&lt;b&gt;0&lt;/b&gt;"))
  }

  @Test("the report page loads nothing: every picture is embedded")
  func offline() throws {
    let (_, page) = try HostileSample().build()
    let sources = page.split(separator: " src=\"").dropFirst()
    #expect(sources.count > 10)
    #expect(sources.allSatisfy { $0.hasPrefix("data:image/png;base64,") })
    #expect(!page.contains("<link") && !page.contains("url(") && !page.contains("@import"))
    #expect(page.contains("prefers-color-scheme: dark"))
  }

  @Test("the report page redacts values of variables, and users and keys in addresses")
  func secrets() throws {
    let (_, page) = try HostileSample().build()
    #expect(!page.contains("hunter2") && !page.contains("SIDE: &quot;5"))
    #expect(page.contains("SECRET: ***") && page.contains("SIDE: ***"))
    #expect(page.contains("https://example.com/x?key=***&amp;box={west}"))
    #expect(page.contains("[get, name], &quot;${SECRET}&quot;]"))
  }

  @Test("the report page has the numbers of the JSON")
  func numbers() throws {
    let (reports, page) = try HostileSample().build()
    let report = try #require(reports.first)
    let json = try document(report.json.pretty, file: "r.json").root
    let zooms = try #require(json["zooms"]?.items)
    let table = try rows(of: "What each zoom holds", in: page)
    #expect(
      table.first == [
        "zoom", "points", "features", "tiles", "distinct", "empty", "bytes", "p50", "p95", "max",
      ])
    #expect(table.count == zooms.count + 2)
    let keys = [
      "zoom", "points", "clusters", "tiles", "distinct", "empty", "bytes", "p50", "p95", "max",
    ]
    for (row, zoom) in zip(table.dropFirst(), zooms) {
      #expect(row == keys.map { ReportNumber.count(zoom[$0]?.integer ?? -1) })
    }
    let ledger = try rows(of: "Every record", in: page)
    let source = try #require(json["sources"]?.members?.first?.node)
    let counts = ["read", "used", "filtered", "noGeometry", "limited"].map {
      ReportNumber.count(source[$0]?.integer ?? -1)
    }
    #expect(Array(ledger[1][1...5]) == counts)
    let stages = try rows(of: "How long each stage took", in: page)
    #expect(stages.dropFirst().dropLast().map(\.[0]) == report.stages.map(\.name))
    #expect(page.contains(report.archive.sha256) && page.contains(report.archive.digest))
  }

  @Test("percentiles in the JSON are those of the archive's tiles")
  func percentiles() throws {
    let sample = try HostileSample()
    let (reports, _) = try sample.build()
    let reader = try ArchiveReader(FilePath(sample.folder.path("out.mbtiles")))
    var sizes: [Int: [Int]] = [:]
    try reader.forEachTile { (tile, bytes) throws(ArchiveError) in
      let isBlank = (try? PNGStructure(bytes))?.isBlank ?? false
      if !isBlank { sizes[tile.z, default: []].append(bytes.count) }
    }
    for zoom in try #require(reports.first?.zooms) {
      let sorted = (sizes[zoom.zoom] ?? []).sorted()
      #expect(zoom.sizes.median == sorted[(sorted.count + 1) / 2 - 1])
      #expect(zoom.sizes.percentile95 == sorted[(sorted.count * 95 + 99) / 100 - 1])
      #expect(zoom.sizes.largest == sorted.last)
    }
  }

  @Test("the report page shows the first five rejected records of each reason with their lines")
  func rejected() throws {
    let sample = try HostileSample()
    let (reports, page) = try sample.build()
    let table = try rows(of: "The first rejected records", in: page).dropFirst()
    let lines = [2, 7, 12, 17, 22].map { "\(sample.folder.path("places.csv")):\($0):3" }
    #expect(table.filter { $0[1] == "invalid_coordinate" }.map { $0[0] } == lines)
    let open = table.filter { $0[1] == "invalid_quoting" }.map { $0[0] }
    #expect(open == ["\(sample.folder.path("places.csv")):69:5"])
    #expect(table.count == 6 && reports[0].sources[0].ledger.rejectedTotal == 8)
  }

  @Test("the report page shows a moved record's changes, then the archive in place as unchanged")
  func changes() throws {
    let sample = try HostileSample()
    let first = try sample.build()
    #expect(first.reports[0].changedTiles.isEmpty && !first.page.contains("before and after"))
    try HostileSample.write(rows: 60, moved: true, in: sample.folder)
    let second = try sample.build()
    let report = second.reports[0]
    let changes = try #require(report.changes)
    #expect(changes.differing > 0 && !report.changedTiles.isEmpty)
    #expect(report.changedTiles.allSatisfy { $0.before != $0.after })
    let table = try rows(of: "Tiles that differ from the archive before", in: second.page)
    #expect(
      table.last
        == ["all"]
        + [changes.added, changes.changed, changes.removed, changes.unchanged]
        .map(ReportNumber.count))
    #expect(faults(in: second.page) == [])
    let third = try sample.build()
    #expect(third.reports[0].result == .unchanged && faults(in: third.page) == [])
    for caption in ["Every record", "The first rejected records", "What each zoom holds"] {
      #expect(try rows(of: caption, in: third.page).count > 1)
    }
    #expect(
      try rows(of: "What each zoom holds", in: third.page)
        == rows(of: "What each zoom holds", in: second.page))
    #expect(
      try rows(of: "The first rejected records", in: third.page)
        == rows(of: "The first rejected records", in: second.page))
  }

  @Test("equal builds give equal report pages, apart from times, memory and folders")
  func deterministic() throws {
    let pages = try [HostileSample(), HostileSample()].map { sample in
      var (reports, _) = try sample.build()
      reports[0].stages = []
      reports[0].memory = MemoryUse()
      return ReportPage([.init(definition: try sample.definition(), reports: reports)]).html
        .replacing(sample.folder.url.path, with: "")
    }
    #expect(pages[0] == pages[1])
  }

  @Test(
    "the extension of its name decides whether a report is a page",
    arguments: [
      ("a.html", true), ("A.HTM", true), ("a.json", false), ("html", false), ("a.html.json", false),
    ])
  func ending(name: String, isPage: Bool) {
    #expect(ReportPage.isPage(name) == isPage)
  }

  @Test("the report page has a size limit, and says what was omitted")
  func bounded() {
    var budget = PictureBudget()
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    #expect(budget.uri(png) == "data:image/png;base64,iVBORw0KGgo=")
    #expect(budget.uri(Array("<svg onload=alert(1)>".utf8)) == nil && budget.leftOut == 0)
    let large = png + [UInt8](repeating: 0, count: 2 << 20)
    #expect(budget.uri(large) == nil && budget.leftOut == 1)
    let some = png + [UInt8](repeating: 0, count: 1 << 20)
    #expect((0..<20).filter { _ in budget.uri(some) != nil }.count == 11)
  }
}
