import Clustering
import Columns
import Definition
import Foundation
import Pipeline
import Runs
@testable import SourceStages
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Baking

@Suite("What a ceiling of memory needs beside it")
struct ScratchNeedTests {
  @Test("no points need nothing, and need grows with the points and the items")
  func arithmetic() {
    #expect(ScratchNeed.clustering(points: 0) == 0)
    #expect(ScratchNeed.clustering(points: 1_000) == 52_000)
    #expect(ScratchNeed.radiusSearch(points: 1_000) == 122_000)
    #expect(ScratchNeed.scenes(items: []) == 0)
    // 16 bytes of all ten items, and 44 of the five of the largest zoom.
    #expect(ScratchNeed.scenes(items: [3, 5, 2]) == 380)
    #expect(ScratchNeed.scenes(items: [5, 3, 2]) == ScratchNeed.scenes(items: [2, 3, 5]))
  }

  @Test("a run that held more than its ceiling says so, with both numbers")
  func excess() throws {
    let ceiling = try #require(MemoryCeiling("256M"))
    #expect(ceiling.excess(of: MemoryUse(anonymous: 256 << 20, mapped: 1 << 40)) == nil)
    let note = try #require(ceiling.excess(of: MemoryUse(anonymous: (318 << 20) + 1)))
    #expect(note.contains("held 319M") && note.contains("more than the 256M that --memory"))
  }

  @Test("clustering writes at least what is asked for beforehand", arguments: [3_000, 20_000])
  func clustering(points: Int) throws {
    let folder = try TemporaryFolder()
    var limits = Scratch.Limits(columns: 0, work: 1 << 30)
    limits.smallest = 256
    let scratch = Scratch(folder: FilePath(folder.url.path), limits: limits) { error in
      Issue.record("\(error)")
    }
    var random = SplitMix64(seed: 6)
    let places = (0..<points).map { _ in
      LngLat(
        longitude: random.number(in: -170..<170), latitude: random.number(in: -70..<70))
    }
    let input = ClusterInput(
      longitudes: Column(places.map(\.longitude), in: scratch),
      latitudes: Column(places.map(\.latitude), in: scratch),
      positions: Column(places.compactMap { WorldPoint($0) }, in: scratch))
    let before = points * 24
    let clusterer = GridClusterer(try GridOptions(maxZoom: 4))
    _ = clusterer.pyramid(of: input, zooms: 0...4, threads: 1, checkpoint: {})
    #expect(scratch.peakBytes - before >= ScratchNeed.clustering(points: points))
  }

  @Test(
    "the least ceiling for a search is enough for it, and one byte less is not",
    arguments: [1, 2, 16], [400_001, 3_000_000, 100_000_000])
  func least(threads: Int, points: Int) throws {
    let need = ScratchNeed.radiusSearch(points: points)
    let least = MemoryCeiling.least(threads: threads, beside: need)
    let limits = try MemoryCeiling(bytes: least).limits(threads: threads)
    #expect(need <= max(2 * limits.work, ScratchNeed.smallSearch))
    let fewer = try MemoryCeiling(bytes: least - 8).limits(threads: threads)
    #expect(need > max(2 * fewer.work, ScratchNeed.smallSearch))
  }

  @Test("a radius search without room is refused by one sentence with the least that works")
  func refused() throws {
    let folder = try TemporaryFolder()
    var rows = "lng,lat\n"
    for row in 0..<140_000 { rows += "\(row % 360 - 180),\(row % 140 - 70)\n" }
    try folder.write(rows, to: "points.csv")
    let file = try folder.write(
      """
      version: 1
      name: points
      sources:
        points: {type: csv, data: points.csv, cluster: true, clusterMethod: radius}
      layers:
        - {id: disc, type: circle, source: points, paint: {circle-radius: 6}}
      tiles: {maxzoom: 1}
      """, to: "points.yml")
    var options = BuildOptions()
    options.memory = MemorySample.ceiling(columns: 1 << 28, work: 1 << 20)
    options.threads = 2
    options.temporaryFolder = folder.url.path
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.build(
        definition, options: options, cancellation: Cancellation(), progress: { _ in })
    }
    #expect(error?.exitCode == 64 && error?.place?.line == 4)
    let least = MemoryCeiling.text(
      MemoryCeiling.least(threads: 2, beside: ScratchNeed.radiusSearch(points: 140_000)))
    #expect(error?.message.contains("140,000 points") == true)
    #expect(error?.message.contains("at least \(least)") == true)
    #expect(error?.message.contains("clusterMethod: grid") == true)
  }
}
