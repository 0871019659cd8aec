import Foundation
import Reuse
import Runs
import TestSupport
import Testing

@testable import Reports
@testable import Shards

@Suite("Builds in shards")
struct ShardBuildTests {
  @Test(
    "any number of shards gives the bytes of a build on one machine, without the inputs",
    arguments: ShardSample.Kind.installed)
  func bytes(_ kind: ShardSample.Kind) throws {
    let sample = try ShardSample(kind)
    try sample.build(to: "one.mbtiles")
    for count in [1, 5] {
      try sample.plan(shards: count)
      for shard in (0..<count).reversed() { try sample.paint(shard, threads: 1 + shard % 2) }
      try sample.merge(to: "merged.mbtiles", threads: 1 + count % 2)
      #expect(try sample.archives("merged.mbtiles") == sample.archives("one.mbtiles"))
    }
    try sample.plan(shards: 3)
    try sample.removeInputs()
    for shard in 0..<3 { try sample.paint(shard) }
    try sample.merge(to: "alone.mbtiles")
    #expect(try sample.archives("alone.mbtiles") == sample.archives("one.mbtiles"))
  }

  @Test(
    "equal inputs give an equal plan, and leftovers of a killed one go",
    arguments: [ShardSample.Kind.labels, .series])
  func equalPlans(_ kind: ShardSample.Kind) throws {
    let sample = try ShardSample(kind)
    try sample.plan(shards: 3)
    let first = try sample.folder.bytes("plan/plan.json")
    try sample.folder.write("", to: ".plan.tmp-999999999/inputs/0/places.csv")
    try sample.plan(shards: 3)
    #expect(try sample.folder.bytes("plan/plan.json") == first)
    #expect(try sample.folder.names().filter { $0.hasPrefix(".plan") } == [])
  }

  @Test("more shards than tiles give empty parts and the same bytes")
  func emptyShards() throws {
    let sample = try ShardSample(.image)
    try sample.build(to: "one.mbtiles")
    let plan = try sample.plan(shards: 60)
    #expect(plan.shards.count == 60 && plan.shards.contains { $0.count == 0 })
    for shard in 0..<60 { try sample.paint(shard) }
    try sample.merge(to: "merged.mbtiles")
    #expect(try sample.archives("merged.mbtiles") == sample.archives("one.mbtiles"))
  }

  @Test("a merge divides the archive into the packs of a build, without the file of regions")
  func packs() throws {
    let sample = try ShardSample(.grids)
    let ring = "[[-170, -60], [0, -60], [0, 60], [-170, 60], [-170, -60]]"
    try sample.folder.write(
      "{\"type\": \"Feature\", \"properties\": {\"name\": \"West\"}, \"geometry\": "
        + "{\"type\": \"Polygon\", \"coordinates\": [\(ring)]}}", to: "regions.geojson")
    let text = String(decoding: try sample.folder.bytes("sample.yml"), as: UTF8.self)
    try sample.folder.write(
      text.replacing(
        "{path: out.mbtiles}",
        with: "{path: out.mbtiles, packs: {by: regions.geojson, shared: {maxzoom: 1}}}"),
      to: "sample.yml")
    let names = ["out-west.mbtiles", "out-shared.mbtiles", "out.packs.json", "out.mbtiles"]
    try sample.build(to: "out.mbtiles")
    let built = try names.map { try sample.folder.bytes($0) }
    for name in names { try FileManager.default.removeItem(atPath: sample.folder.path(name)) }
    try sample.plan(shards: 2)
    try sample.removeInputs()
    try FileManager.default.removeItem(atPath: sample.folder.path("regions.geojson"))
    for shard in 0..<2 { try sample.paint(shard) }
    let report = try sample.merge(to: "out.mbtiles")[0]
    #expect(report.packs?.published == 2)
    #expect(try names.map { try sample.folder.bytes($0) } == built)
  }

  @Test("a merge reports what a build reports")
  func report() throws {
    let sample = try ShardSample(.grids)
    let built = try sample.build(to: "one.mbtiles")[0]
    try sample.plan(shards: 2)
    for shard in 0..<2 { try sample.paint(shard) }
    let merged = try sample.merge(to: "merged.mbtiles")[0]
    #expect(merged.archive.sha256 == built.archive.sha256)
    #expect(merged.sources == built.sources)
    #expect(merged.zooms == built.zooms)
    #expect(merged.tiles == built.tiles)
    #expect(merged.grids == built.grids)
    #expect(merged.notes == built.notes)
    // Nothing has changed since.
    #expect(try sample.merge(to: "merged.mbtiles")[0].archive.sha256 == built.archive.sha256)
  }

  @Test("a part that is there and complete is left alone, a damaged one is painted again")
  func again() throws {
    let sample = try ShardSample(.labels)
    try sample.plan(shards: 2)
    let first = try sample.paint(0)
    #expect(!first.isUnchanged)
    let bytes = try Data(contentsOf: URL(filePath: first.part))
    #expect(try sample.paint(0).isUnchanged)
    var damaged = bytes
    damaged[damaged.count / 2] ^= 1
    try damaged.write(to: URL(filePath: first.part))
    #expect(try !sample.paint(0, threads: 2).isUnchanged)
    #expect(try Data(contentsOf: URL(filePath: first.part)) == bytes)
  }

  /// Runs a body that must fail.
  private func failure(_ body: () throws -> Void) -> PipelineError? {
    do {
      try body()
      return nil
    } catch {
      return error as? PipelineError
    }
  }

  @Test("a missing part ends the merge with 66 and its number")
  func missing() throws {
    let sample = try ShardSample(.labels)
    try sample.plan(shards: 3)
    try sample.paint(0)
    try sample.paint(2)
    let error = try #require(failure { try sample.merge(to: "x.mbtiles") })
    #expect(error.exitCode == 66 && error.message.contains("the part of shard 1 is missing"))
    #expect(error.message.contains("--shard 1"))
  }

  @Test("a part of another plan ends the merge with 65 and its name")
  func foreign() throws {
    let sample = try ShardSample(.labels)
    let other = try ShardSample(.labels, seed: 9)
    for sample in [sample, other] {
      try sample.plan(shards: 2)
      for shard in 0..<2 { try sample.paint(shard) }
    }
    let part = "plan/parts/part-00001.tiles"
    try FileManager.default.removeItem(atPath: sample.folder.path(part))
    try FileManager.default.copyItem(
      atPath: other.folder.path(part), toPath: sample.folder.path(part))
    let error = try #require(failure { try sample.merge(to: "x.mbtiles") })
    #expect(error.exitCode == 65 && error.message.contains("another plan"))
    #expect(error.place?.file.hasSuffix("part-00001.tiles") == true)
  }

  @Test("a flipped byte in any file of a plan is found and named")
  func damage() throws {
    let sample = try ShardSample(.image)
    try sample.build(to: "one.mbtiles")
    try sample.plan(shards: 2)
    for shard in 0..<2 { try sample.paint(shard) }
    let plan = URL(filePath: sample.plan)
    let names = try FileManager.default.subpathsOfDirectory(atPath: sample.plan).filter {
      var isFolder: ObjCBool = false
      let path = plan.appending(path: $0).path
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    #expect(names.count >= 8)
    for name in names {
      let file = plan.appending(path: name)
      let bytes = try Data(contentsOf: file)
      var damaged = bytes
      // Elsewhere in the plan may be the name of a file, which then is missing.
      damaged[name == "plan.json" ? 4 : damaged.count * 2 / 3] ^= 4
      try damaged.write(to: file)
      let error = try #require(failure { try sample.merge(to: "x.mbtiles") }, "\(name)")
      #expect(error.exitCode == 65, "\(name): \(error)")
      // Another plan.json makes every part a foreign one.
      #expect(
        name == "plan.json" || error.place?.file.hasSuffix(name) == true, "\(name): \(error)")
      try bytes.write(to: file)
    }
    try sample.merge(to: "x.mbtiles")
    #expect(try sample.archives("x.mbtiles") == sample.archives("one.mbtiles"))
  }

  @Test("a shard names the damaged file of the plan that it reads")
  func damagedInput() throws {
    let sample = try ShardSample(.image)
    try sample.plan(shards: 1)
    let plan = URL(filePath: sample.plan)
    for folder in ["artifacts", "documents", "inputs/0"] {
      let name = try #require(
        try FileManager.default.contentsOfDirectory(atPath: plan.appending(path: folder).path)
          .sorted().first { !$0.hasPrefix("poles") })
      let file = plan.appending(path: folder).appending(path: name)
      let bytes = try Data(contentsOf: file)
      var damaged = bytes
      damaged[damaged.count * 2 / 3] ^= 4
      try damaged.write(to: file)
      let error = try #require(failure { try sample.paint(0) }, "\(name)")
      #expect(error.exitCode == 65 && error.place?.file.hasSuffix(name) == true, "\(error)")
      try bytes.write(to: file)
    }
  }

  @Test("the plan of another program is refused by one sentence with 65")
  func otherProgram() throws {
    let sample = try ShardSample(.labels)
    try sample.plan(shards: 1)
    let file = URL(filePath: sample.plan).appending(path: "plan.json")
    let text = try String(contentsOf: file, encoding: .utf8)
    let own = try #require(try ProgramIdentity.sha256())
    let status = try #require(ProgramIdentity.text)
    let other = text.replacing(own, with: String(repeating: "0", count: 64))
    try other.replacing(status, with: "0.0.0 1 2 3")
      .write(to: file, atomically: false, encoding: .utf8)
    let error = try #require(failure { try sample.paint(0) })
    #expect(error.exitCode == 65 && error.message.contains("another program"))
    // The same program at another place is read.
    try text.replacing(status, with: "0.0.0 1 2 3")
      .write(to: file, atomically: false, encoding: .utf8)
    #expect(!(try sample.paint(0, threads: 2).isUnchanged))
  }

  @Test(
    "a plan whose numbers do not fit together is refused with 65",
    arguments: [
      (#""firstRow" : 0"#, #""firstRow" : 1"#), (#""scale" : 2"#, #""scale" : 3"#),
      (#""firstRow" : 0,"#, #""firstRow" : -9223372036854775808,"#),
    ])
  func unsound(_ old: String, _ new: String) throws {
    let sample = try ShardSample(.labels)
    try sample.plan(shards: 1)
    let file = URL(filePath: sample.plan).appending(path: "plan.json")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains(old))
    try text.replacing(old, with: new).write(to: file, atomically: false, encoding: .utf8)
    #expect(failure { try sample.paint(0) }?.exitCode == 65)
  }

  @Test("a folder that is not a plan is not replaced, and a plan is")
  func replacement() throws {
    let sample = try ShardSample(.labels)
    try sample.folder.write("mine", to: "plan/notes.txt")
    let error = try #require(failure { try sample.plan(shards: 1) })
    #expect(error.exitCode == 73)
    try FileManager.default.removeItem(atPath: sample.plan)
    try sample.plan(shards: 1)
    try sample.paint(0)
    try sample.plan(shards: 2)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: sample.plan + "/parts").isEmpty)
  }

  @Test("a file in the place of a plan is not replaced")
  func fileInPlace() throws {
    let sample = try ShardSample(.labels)
    try sample.folder.write("mine", to: "plan")
    let error = try #require(failure { try sample.plan(shards: 1) })
    #expect(error.exitCode == 73 && error.message.contains("is not a folder"))
    #expect(try sample.folder.bytes("plan") == Array("mine".utf8))
  }

  @Test("a plan masks the variables that only locate data, and keeps those that draw")
  func secrets() throws {
    let server = try LocalServer { request, connection in
      let isOpen = request.target == "/places.csv?key=open-sesame"
      connection.answer(isOpen ? 200 : 403, ["Content-Type: text/csv"], "lng,lat\n1,2\n3,4\n")
    }
    let sample = try ShardSample(.labels)
    try sample.folder.write(
      """
      version: 1
      name: secret
      sources:
        places: {type: csv, data: "\(server.url("/places.csv?key=${KEY}"))"}
      layers:
        - {id: disc, type: circle, source: places, paint: {circle-color: "${COLOR}"}}
      tiles: {maxzoom: 1, scale: [1, 2]}
      output: {path: out.mbtiles}
      """, to: "sample.yml")
    let variables = ["KEY": "open-sesame", "COLOR": "purple"]
    try sample.build(to: "one.mbtiles", variables)
    try sample.plan(shards: 1, variables)
    let plan = URL(filePath: sample.plan)
    for name in try FileManager.default.subpathsOfDirectory(atPath: plan.path) {
      guard let bytes = try? Data(contentsOf: plan.appending(path: name)) else { continue }
      #expect(bytes.firstRange(of: Data("open-sesame".utf8)) == nil, "\(name)")
    }
    let text = try String(contentsOf: plan.appending(path: "plan.json"), encoding: .utf8)
    #expect(text.contains(#""COLOR" : "purple""#) && text.contains(#""KEY" : "***""#))
    try sample.paint(0)
    try sample.merge(to: "merged.mbtiles")
    #expect(try sample.archives("merged.mbtiles") == sample.archives("one.mbtiles"))
  }
}
