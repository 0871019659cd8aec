import Columns
import Definition
import PipelineSamples
import Reuse
import Runs
import SourceStages
import TestSupport
import Testing

@testable import Baking

@Suite("Identifiers of features in compact taps")
struct TapNumbersTests {
  /// Returns the numbers of the features of some rows, and their keys with the identifiers.
  private static func identifiers(_ rows: [String]) throws -> (TapNumbers, [String: UInt64]) {
    let sample = try BuildSample(tiles: "{maxzoom: 5, interactivity: {format: compact}}")
    try sample.folder.write("lng,lat,name\n" + rows.joined(separator: "\n"), to: "places.csv")
    let build = try sample.definition().build()
    let sources = try build.reading.clustered(build.context.clock).map {
      TapSource($0, fields: nil, tileSize: 256)
    }
    let numbers = try TapNumbers(sources, zooms: 0...5, threads: 2)
    var keys: [String: UInt64] = [:]
    for number in 0..<UInt32(numbers.count) {
      let (source, item) = numbers.owner(of: number)
      var zoom = 0
      if case .cluster(let own, _) = item { zoom = own }
      let key = sources[source].key(of: item, sources[source].level(zoom))
      keys[String(decoding: key, as: UTF8.self)] = numbers.identifiers[Int(number)]
      #expect(numbers.number(of: numbers.identifiers[Int(number)]) == number)
    }
    return (numbers, keys)
  }

  private static func rows(_ count: Int) -> [String] {
    var random = SplitMix64(seed: 31)
    return (0..<count).map {
      "\(random.number(in: -170..<170)),\(random.number(in: -70..<70)),Place \($0)"
    }
  }

  @Test("a record that comes leaves the identifiers of all others as they are")
  func stability() throws {
    let rows = Self.rows(300)
    let (_, before) = try Self.identifiers(rows)
    let (_, after) = try Self.identifiers(["1.25,2.5,New"] + rows)
    let features = before.filter { $0.key.split(separator: ".").count == 2 }
    #expect(features.count == 300)
    // A key without an id is a hash of the record. Clusters with the new record may lie elsewhere.
    #expect(features.allSatisfy { after[$0.key] == $0.value })
    let moved = before.count { after[$0.key] != $0.value }
    #expect(moved > 0 && moved <= 8, "\(moved)")
  }

  @Test("a crowd in one place has distinct identifiers that spill into the cells after it")
  func crowd() throws {
    let (numbers, keys) = try Self.identifiers(
      (0..<40_000).map { "5.5,6.5,Guest \($0)" } + ["5.6,6.4,Neighbour"])
    #expect(keys.count == numbers.count && numbers.count > 40_000)
    let identifiers = Array(numbers.identifiers)
    #expect(zip(identifiers, identifiers.dropFirst()).allSatisfy { $0 < $1 })
    #expect(identifiers.allSatisfy { $0 < TapNumbers.limit })
    #expect(Set(identifiers.map { $0 >> 15 }).count > 2)
  }
}
