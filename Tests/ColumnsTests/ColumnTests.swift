import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Columns

@Suite("Columns")
struct ColumnTests {
  /// Where the columns of a test lie.
  enum Place: CaseIterable {
    case memory, files, both

    /// A scratch whose small columns lie in files too.
    func scratch(_ folder: TemporaryFolder) -> Scratch? {
      if self == .memory { return nil }
      var limits = Scratch.Limits(columns: self == .files ? 0 : 5_000, work: 1 << 10)
      limits.smallest = 64
      return Scratch(folder: FilePath(folder.url.path), limits: limits) { error in
        Issue.record("no file: \(error)")
      }
    }
  }

  @Test("a column holds what an array holds, wherever it lies", arguments: Place.allCases)
  func arrays(place: Place) throws {
    let folder = try TemporaryFolder()
    let scratch = place.scratch(folder)
    var random = SplitMix64(seed: 3)
    var column = Column<UInt32>(in: scratch)
    var array: [UInt32] = []
    for step in 0..<2_000 {
      let value = UInt32(random.below(1 << 30))
      switch random.below(8) {
      case 0:
        let run = (0..<random.below(40)).map { value &+ UInt32($0) }
        column.append(contentsOf: run)
        array += run
      case 1:
        column.append(repeating: value, count: 7)
        array += Array(repeating: value, count: 7)
      case 2 where !array.isEmpty:
        let count = random.below(min(array.count, 20))
        column.removeLast(count)
        array.removeLast(count)
      case 3 where !array.isEmpty:
        let index = random.below(array.count)
        column[index] &+= value
        array[index] &+= value
      case 4: column.reserveCapacity(array.count + random.below(300))
      default:
        column.append(value)
        array.append(value)
      }
      if step % 100 == 0 { #expect(Array(column) == array) }
    }
    #expect(Array(column) == array && column.count == array.count)
    #expect(column.withUnsafeBufferPointer { Array($0) } == array)
    #expect(Array(column[10..<50]) == Array(array[10..<50]))
    column.removeAll()
    #expect(column.isEmpty && column.scratch === scratch)
  }

  @Test("changing a column leaves its copies as they were", arguments: Place.allCases)
  func copies(place: Place) throws {
    let folder = try TemporaryFolder()
    var column = Column<Int>(0..<1_000, in: place.scratch(folder))
    let first = column
    column[3] = -1
    let second = column
    column.append(5)
    var third = column
    third.withUnsafeMutableBufferPointer { $0[0] = 9 }
    third.replace(1..<3, with: [7, 8])
    #expect(Array(first) == Array(0..<1_000))
    #expect(second[3] == -1 && second.count == 1_000)
    #expect(column[0] == 0 && column.count == 1_001 && Array(third[0..<4]) == [9, 7, 8, -1])
  }

  @Test("columns beyond the limit lie in files without names, and those within it do not")
  func files() throws {
    let folder = try TemporaryFolder()
    var limits = Scratch.Limits(columns: 100_000, work: 1 << 10)
    limits.smallest = 1_000
    let scratch = Scratch(folder: FilePath(folder.url.path), limits: limits) { _ in }
    let kept = Column<UInt8>(repeating: 1, count: 90_000, in: scratch)
    #expect(scratch.peakBytes == 0)
    let small = Column<UInt8>(repeating: 1, count: 900, in: scratch)
    #expect(scratch.peakBytes == 0)
    var large = Column<UInt8>(repeating: 2, count: 50_000, in: scratch)
    #expect(scratch.peakBytes == 50_000)
    large[49_999] = 3
    #expect(kept.count + small.count == 90_900 && large[49_999] == 3 && large[0] == 2)
    #expect(try folder.names() == [])
    large.removeAll()
    let again = Column<UInt8>(repeating: 2, count: 40_000, in: scratch)
    #expect(again.count == 40_000 && scratch.peakBytes == 50_000)
  }

  @Test("where no file can be made, the run learns of it once, and columns go on in memory")
  func failure() throws {
    let failures = Mutex<[Errno]>([])
    var limits = Scratch.Limits(columns: 0, work: 1 << 10)
    limits.smallest = 0
    let scratch = Scratch(folder: "/nowhere/at/all", limits: limits) { error in
      failures.withLock { $0.append(error) }
    }
    var column = Column<Int>(in: scratch)
    for value in 0..<10_000 { column.append(value) }
    let copy = Column(column, in: scratch)
    #expect(Array(copy) == Array(0..<10_000))
    #expect(failures.withLock { $0 } == [.noSuchFileOrDirectory])
  }

  @Test("gathering and inverting part by part gives what one pass gives", arguments: Place.allCases)
  func gathering(place: Place) throws {
    let folder = try TemporaryFolder()
    let scratch = place.scratch(folder)
    var random = SplitMix64(seed: 5)
    let values = (0..<3_000).map { _ in Double(random.below(1 << 40)) }
    var places = (0..<3_000).map { UInt32($0) }
    for index in places.indices { places.swapAt(index, random.below(places.count)) }
    let column = Column(values, in: scratch)
    let order = Column(places, in: scratch)
    let gathered = column.gathered(at: order) { count, body in
      body(0..<count / 3)
      body(count / 3..<count)
    }
    #expect(Array(gathered) == places.map { values[Int($0)] })
    let inverse = order.inverse()
    #expect(places.indices.allSatisfy { inverse[Int(places[$0])] == $0 })
  }
}
