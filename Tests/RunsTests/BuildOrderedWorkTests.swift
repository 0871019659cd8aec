import Foundation
import Synchronization
import Testing

@testable import Runs

@Suite("Ordered work")
struct BuildOrderedWorkTests {
  private struct Failure: Error, Equatable {
    var job: Int
  }

  /// Work that takes now long, now short.
  private static func work(_ job: Int) -> Int {
    var sum = job
    for step in 0..<((job * 7919) % 400) { sum &+= step }
    return sum
  }

  @Test(
    "ordered work delivers results in the order of the jobs", arguments: [1, 2, 3, 8], [1, 4, 100])
  func order(threads: Int, limit: Int) throws {
    var next = 0
    var consumed: [Int] = []
    try OrderedWork<Int, Int>(threads: threads, limit: limit).run(
      worker: { { $0 * 2 + Self.work($0) * 0 } },
      next: {
        next += 1
        return next <= 300 ? next : nil
      },
      consume: { consumed.append($0) })
    #expect(consumed == (1...300).map { $0 * 2 })
  }

  @Test("ordered work never exceeds its limit of jobs in flight", arguments: [2, 5])
  func limit(threads: Int) throws {
    var made = 0
    var taken = 0
    var most = 0
    try OrderedWork<Int, Int>(threads: threads, limit: 6).run(
      worker: { { Self.work($0) } },
      next: {
        guard made < 200 else { return nil }
        made += 1
        most = max(most, made - taken)
        return made
      },
      consume: { _ in taken += 1 })
    #expect(taken == 200 && most == 6)
  }

  @Test("ordered work creates one worker per thread")
  func workers() throws {
    let made = Atomic(0)
    var left = 50
    try OrderedWork<Int, Int>(threads: 3, limit: 9).run(
      worker: {
        made.add(1, ordering: .relaxed)
        return { job in
          // A worker that begins when all is done does not count: none is done before all began.
          let patience = ContinuousClock.now + .seconds(60)
          while made.load(ordering: .relaxed) < 3, ContinuousClock.now < patience {
            Thread.sleep(forTimeInterval: 0.0001)
          }
          return job
        }
      },
      next: {
        left -= 1
        return left >= 0 ? left : nil
      },
      consume: { _ in })
    #expect(made.load(ordering: .relaxed) == 3)
  }

  @Test("ordered work ends with the first error in the order of the jobs", arguments: [1, 2, 4])
  func errors(threads: Int) throws {
    var next = 0
    var consumed: [Int] = []
    let error = #expect(throws: Failure.self) {
      try OrderedWork<Int, Int>(threads: threads, limit: 16).run(
        worker: {
          { job in
            if job % 10 == 7 { throw Failure(job: job) }
            return job
          }
        },
        next: {
          next += 1
          return next <= 100 ? next : nil
        },
        consume: { consumed.append($0) })
    }
    #expect(error == Failure(job: 7))
    #expect(consumed == Array(1...6))
  }

  @Test("ordered work ends when its consumer, its jobs or its workers fail", arguments: [1, 3])
  func otherErrors(threads: Int) throws {
    let work = OrderedWork<Int, Int>(threads: threads, limit: 4)
    #expect(throws: Failure.self) {
      try work.run(worker: { { $0 } }, next: { 1 }, consume: { _ in throw Failure(job: 0) })
    }
    #expect(throws: Failure.self) {
      try work.run(worker: { { $0 } }, next: { throw Failure(job: 0) }, consume: { _ in })
    }
    #expect(throws: Failure.self) {
      try work.run(worker: { throw Failure(job: 0) }, next: { 1 }, consume: { _ in })
    }
  }

  @Test("ordered work does nothing without jobs")
  func empty() throws {
    for threads in [1, 4] {
      try OrderedWork<Int, Int>(threads: threads, limit: 4).run(
        worker: { { $0 } }, next: { nil }, consume: { _ in Issue.record("nothing to consume") })
    }
  }
}
