import Foundation
import PipelineSamples
import SourceStages
import Synchronization
import TestSupport
import Testing

@testable import Reuse
@testable import Baking
@testable import Definition
@testable import Reports
@testable import Runs

@Suite("A build in this process")
struct BuildRunTests {
  @Test("a build reports its stages in order, each with a beginning and an end")
  func stages() throws {
    let events = Mutex<[String]>([])
    let sample = try BuildSample()
    let reports = try sample.build(progress: { event in
      switch event {
      case .began(let stage, _, _): events.withLock { $0.append("+\(stage)") }
      case .ended(let stage): events.withLock { $0.append("-\(stage.name)") }
      default: break
      }
    })
    let stages = [
      "ingest", "cluster", "scene", "estimate", "tiles", "index", "verify", "publish",
    ]
    #expect(events.withLock { $0 } == stages.flatMap { ["+\($0)", "-\($0)"] })
    #expect(reports.map { $0.stages.map(\.name) } == [stages])
  }

  @Test(
    "a build cancelled in a stage publishes nothing and names the stage",
    arguments: ["ingest", "cluster", "scene", "tiles", "index", "verify"])
  func cancelled(stage: String) throws {
    let sample = try BuildSample()
    let cancellation = Cancellation()
    let error = #expect(throws: PipelineError.self) {
      try sample.build(
        cancellation: cancellation,
        progress: { event in
          if case .began(stage, _, _) = event { cancellation.cancel(signal: 15) }
        })
    }
    #expect(error?.code == .interrupted && error?.exitCode == 143)
    #expect(
      try sample.folder.names().filter { $0 != ".quadrille-cache" } == ["places.csv", "sample.yml"])
  }

  @Test("a build refuses an unexpected result, and keeps the last archive")
  func expectation() throws {
    let sample = try BuildSample(more: "expect: {features: {max: 100}}")
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.code == .unexpected)
    #expect(
      try sample.folder.names().filter { $0 != ".quadrille-cache" } == ["places.csv", "sample.yml"])
  }

  @Test("a build is not repeated for equal inputs, but for any other")
  func fingerprint() throws {
    let sample = try BuildSample()
    let fonts: [String] = []
    func text(_ sample: BuildSample, scale: Int = 1) throws -> String {
      try BuildFingerprint(sample.definition().located(), scale: scale, fonts: fonts).text
    }
    let first = try text(sample)
    #expect(first.count == 64)
    #expect(try text(BuildSample()) == first)
    let others = [
      try text(sample, scale: 2), try text(BuildSample(rows: 201)),
      try text(BuildSample(tiles: "{maxzoom: 4, snap: 1}")),
      try text(BuildSample(tiles: "{maxzoom: 5, snap: 2}")),
      try text(BuildSample(tiles: "{maxzoom: 5, snap: 1, bounds: [0, 0, 10, 10]}")),
      try text(BuildSample(more: "attribution: somebody")),
      try text(BuildSample(more: "expect: {features: {min: 1}}")),
    ]
    #expect(Set(others + [first]).count == others.count + 1)
  }

  @Test("the fingerprint of a build with tap texts and large state is the same in each run")
  func fingerprintOfState() throws {
    func texts(_ last: Int) throws -> Set<String> {
      let state = (1...40).map { "k\($0): {default: \($0 < 40 ? $0 : last)}" }
      let sample = try BuildSample(
        rows: 1, tiles: "{maxzoom: 1, interactivity: {text: '{name}'}}",
        more: "state: {\(state.joined(separator: ", "))}")
      return Set(
        try (0..<4).map { _ in
          try BuildFingerprint(sample.definition().located(), scale: 1, fonts: []).text
        })
    }
    let (first, other) = (try texts(40), try texts(41))
    #expect(first.count == 1 && other.count == 1 && first != other)
  }

  @Test(
    "cancelling stops a build that collects notes on its data",
    arguments: [(data: "1,1,a", hasRecords: true), (data: "1,95,a", hasRecords: false)])
  func stoppedNotes(data: String, hasRecords: Bool) throws {
    let sample = try BuildSample(rows: 0)
    try sample.folder.write("lng,lat,name\n\(data)\n", to: "places.csv")
    var definition = try sample.definition()
    definition.sources[0].records?.maxErrors = 1
    let style = try definition.style()
    let build = try definition.build()
    let clock = StageClock(progress: { _ in }, cancellation: build.cancellation)
    let sources = try build.reading.clustered(clock)
    #expect(sources.usedRecords == (hasRecords ? 1 : 0))
    let stopped = Cancellation()
    stopped.cancel(signal: 15)
    let error = #expect(throws: PipelineError.self) {
      try DataNotes(of: sources, in: definition, style, checkpoint: stopped.check)
    }
    #expect(error?.code == .interrupted && error?.exitCode == 143)
  }
}
