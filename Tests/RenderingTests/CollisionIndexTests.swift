import Columns
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Scenes
@testable import Styling

@Suite("Collision index of labels")
struct CollisionIndexTests {
  private static let world = 1000

  private func obstacle(_ random: inout SplitMix64) -> LabelObstacle {
    let left = random.below(Self.world + 100) - 50
    let top = random.below(300)
    let width = 2 * random.below(80)
    let isCircle = random.below(2) == 0
    return LabelObstacle(
      left: left, top: top, right: left + width,
      bottom: top + (isCircle ? width : random.below(200)), isCircle: isCircle)
  }

  /// Whether a pixel's middle lies in both, tried one by one.
  private func meet(_ a: LabelObstacle, _ b: LabelObstacle) -> Bool {
    (0..<8 * 400).contains { step in
      let y = Double(step) / 8 + 1.0 / 16
      let (first, second) = (a.row(y), b.row(y))
      return first.lowerBound < second.upperBound && second.lowerBound < first.upperBound
        && !first.isEmpty && !second.isEmpty
    }
  }

  @Test("the collision index agrees with brute force, also over the antimeridian")
  func bruteForce() {
    var random = SplitMix64(seed: 9)
    var index = CollisionIndex(world: Self.world)
    var taken: [(LabelObstacle, LabelOverlap)] = []
    var (hits, misses) = (0, 0)
    for _ in 0..<400 {
      let next = obstacle(&random)
      guard next.left < next.right, next.top < next.bottom else { continue }
      let overlap = random.pick([LabelOverlap.never, .never, .cooperative, .always])
      let isTaken = taken.contains { placed, other in
        !overlap.allows(other)
          && [-Self.world, 0, Self.world].contains {
            placed.moved(x: $0, y: 0, padding: 0).meets(next)
          }
      }
      #expect(index.isTaken(next, for: overlap) == isTaken)
      if isTaken { hits += 1 } else { misses += 1 }
      guard !isTaken, random.below(3) == 0 else { continue }
      index.take(next, with: overlap)
      taken.append((next, overlap))
    }
    #expect(hits > 20 && misses > 20)
  }

  @Test("the collision index answers from scratch files as from memory, and counts there")
  func scratch() throws {
    let folder = try TemporaryFolder()
    var limits = Scratch.Limits(columns: 0, work: 1 << 20)
    limits.smallest = 256
    let scratch = Scratch(folder: FilePath(folder.url.path), limits: limits) { error in
      Issue.record("\(error)")
    }
    var random = SplitMix64(seed: 12)
    var plain = CollisionIndex(world: Self.world)
    var counted = CollisionIndex(world: Self.world, in: scratch)
    var mismatches = 0
    for _ in 0..<3000 {
      let next = obstacle(&random)
      let isTaken = plain.isTaken(next, for: .never)
      if counted.isTaken(next, for: .never) != isTaken { mismatches += 1 }
      guard !isTaken || random.below(20) == 0 else { continue }
      plain.take(next, with: .never)
      counted.take(next, with: .never)
    }
    #expect(mismatches == 0)
    // At least the slots of the table and the entries of the labels.
    #expect(scratch.peakBytes > 1024 * 12)
  }

  @Test("a table of squares has the numbers that a dictionary has")
  func table() {
    var random = SplitMix64(seed: 13)
    var table = SquareTable(in: nil)
    var expected: [UInt64: Int32] = [:]
    #expect(table[7] == nil)
    for step in 0..<20_000 {
      let key = UInt64(random.below(300)) << 32 | UInt64(random.below(100))
      expected[key] = Int32(step)
      table.set(Int32(step), for: key)
    }
    #expect(expected.allSatisfy { table[$0.key] == $0.value })
    #expect((0..<300).allSatisfy { table[UInt64($0) << 32 | 100] == nil })
  }

  @Test("the collision index distinguishes circles from the squares around them")
  func shapes() {
    var random = SplitMix64(seed: 10)
    var apart = 0
    for _ in 0..<300 {
      let a = obstacle(&random)
      let b = obstacle(&random)
      guard a.left < a.right, a.top < a.bottom, b.left < b.right, b.top < b.bottom else { continue }
      // Rows are an eighth of a px apart, so that only what is farther than that is sure.
      if meet(a, b) { #expect(a.meets(b) && b.meets(a)) }
      if !a.meets(b) { apart += 1 }
      let grown = (a.moved(x: 0, y: 0, padding: 1), b.moved(x: 0, y: 0, padding: 1))
      if a.meets(b) { #expect(meet(grown.0, grown.1)) }
    }
    #expect(apart > 20)
    let circle = LabelObstacle(left: 0, top: 0, right: 20, bottom: 20, isCircle: true)
    let corner = LabelObstacle(left: 18, top: 18, right: 30, bottom: 30)
    #expect(!circle.meets(corner))
    var square = circle
    square.isCircle = false
    #expect(square.meets(corner))
  }
}

extension LabelObstacle {
  /// What it takes up of a row.
  fileprivate func row(_ y: Double) -> Range<Double> {
    guard y > Double(top), y < Double(bottom) else { return 0..<0 }
    guard isCircle else { return Double(left)..<Double(right) }
    let radius = Double(right - left) / 2
    let down = y - Double(top + bottom) / 2
    let half = (radius * radius - down * down).squareRoot()
    let middle = Double(left + right) / 2
    return (middle - half)..<(middle + half)
  }
}
