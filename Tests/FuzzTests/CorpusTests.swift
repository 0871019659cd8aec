import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The corpus of the fuzzers, read as libFuzzer reads it.
@Suite("The corpus of the fuzzers")
struct CorpusTests {
  private static let folder = packageRoot.appendingPathComponent("Fuzzing/Corpus")

  /// The bytes of each input of a target, by name.
  private static func inputs(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    let folder = folder.appendingPathComponent(target.name)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      ($0, [UInt8](try Data(contentsOf: folder.appendingPathComponent($0))))
    }
  }

  @Test(
    "the corpus of the fuzzers causes no failure, and is accepted in part and refused in part",
    arguments: FuzzTarget.all)
  func replay(_ target: FuzzTarget) throws {
    var taken = 0
    var refused = 0
    for (name, bytes) in try Self.inputs(target) {
      do {
        if try bytes.withUnsafeBytes(target.check) { taken += 1 } else { refused += 1 }
      } catch {
        Issue.record("\(target.name)/\(name): \(error)")
      }
    }
    #expect(taken > 0)
    #expect(refused > 0)
  }

  @Test("the corpus of the fuzzers has a folder for each target and no other")
  func folders() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(names.filter { !$0.hasPrefix(".") }.sorted() == FuzzTarget.all.map(\.name))
  }

  @Test(
    "the corpus of the fuzzers causes no failure when it is truncated or a byte of it is changed",
    arguments: FuzzTarget.all)
  func neighbours(_ target: FuzzTarget) throws {
    var random = SplitMix64(seed: 6)
    let rounds = runsSlowTests ? 100 : 3
    for (name, bytes) in try Self.inputs(target) where !bytes.isEmpty {
      for _ in 0..<rounds {
        var changed = bytes
        let place = Int.random(in: changed.indices, using: &random)
        if Bool.random(using: &random) {
          changed.removeSubrange(place...)
        } else {
          changed[place] = UInt8.random(in: .min ... .max, using: &random)
        }
        do {
          _ = try changed.withUnsafeBytes(target.check)
        } catch {
          Issue.record("\(target.name)/\(name), changed to \(changed): \(error)")
        }
      }
    }
  }
}

extension FuzzTarget: CustomTestStringConvertible {
  public var testDescription: String { name }
}
