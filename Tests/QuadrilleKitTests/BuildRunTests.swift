import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuadrilleKit

/// Builds whose events are a sequence.
@Suite("runs of QuadrilleKit")
struct BuildRunTests {
  private let sample: KitSample
  private let pipeline: TilePipeline

  init() throws {
    sample = try KitSample()
    pipeline = try sample.sequencePipeline()
  }

  /// Starts a run that lasts until it is cancelled, and then ends as a build does.
  private func endless(whenCancelled report: @escaping @Sendable () -> Void = {}) -> BuildRun {
    let pipeline = pipeline
    return BuildRun { (cancellation, progress) throws(QuadrilleError) in
      progress(.began(stage: "ingest", total: nil, unit: "records"))
      while !cancellation.isCancelled { usleep(1000) }
      report()
      return try pipeline.build(cancellation: cancellation)
    }
  }

  @Test("every stage begins and ends, and the results follow")
  func events() async throws {
    let run = pipeline.building()
    var begun: [String] = []
    var ended: [String] = []
    for await event in run.progress {
      switch event {
      case .began(let stage, _, _): begun.append(stage)
      case .advanced(let stage, _): #expect(begun.contains(stage))
      case .ended(let stage, _): ended.append(stage)
      }
    }
    let results = try await run.results
    #expect(results.map(\.outcome) == [.published])
    #expect(begun.contains("ingest") && begun.contains("tiles"))
    #expect(ended.sorted() == begun.sorted() && ended.last == "publish")
    // The events came already, and the results are still there.
    for await event in run.progress { Issue.record("\(event)") }
    #expect(try await run.results == results)
    #expect(try await pipeline.building().results.map(\.outcome) == [.unchanged])
  }

  @Test("a failed build ends the events, and its error comes with the results")
  func failure() async throws {
    let run = try sample.pipeline().building()
    for await _ in run.progress {}
    let error = await #expect(throws: QuadrilleError.self) { try await run.results }
    #expect(error?.code == .missingInput)
  }

  @Test("a run ends with the task that takes its events, and with the one that waits for results")
  func cancellation() async throws {
    for takesEvents in [true, false] {
      let run = endless()
      let task = Task {
        if takesEvents { for await _ in run.progress {} }
        return try await run.results
      }
      task.cancel()
      guard case .failure(let error as QuadrilleError) = await task.result else {
        Issue.record("the build was not cancelled")
        continue
      }
      #expect(error.code == .cancelled)
    }
    let run = endless()
    run.cancel()
    let error = await #expect(throws: QuadrilleError.self) { try await run.results }
    #expect(error?.code == .cancelled)
    #expect(try !sample.folder.names().contains("hotels.mbtiles"))
  }

  @Test("a run that nobody holds any more ends")
  func abandonment() async {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    do {
      let run = endless { end.finish() }
      for await event in run.progress {
        #expect(event == .began(stage: "ingest", total: nil, unit: "records"))
        break
      }
    }
    for await _ in ends {}
  }
}

@Suite("the queue of a run's events")
struct ProgressQueueTests {
  private func events(of queue: ProgressQueue) async -> [BuildProgress] {
    var events: [BuildProgress] = []
    while let event = await queue.next() { events.append(event) }
    return events
  }

  @Test("of a stage's advance only the newest event waits, and none is lost at the end")
  func newest() async {
    let queue = ProgressQueue()
    queue.append(.began(stage: "a", total: 9, unit: "rows"))
    for done in 1...5000 { queue.append(.advanced(stage: "a", done: done)) }
    queue.append(.ended(stage: "a", seconds: 1))
    queue.append(.advanced(stage: "b", done: 1))
    queue.append(.advanced(stage: "c", done: 2))
    queue.end()
    #expect(
      await events(of: queue) == [
        .began(stage: "a", total: 9, unit: "rows"), .advanced(stage: "a", done: 5000),
        .ended(stage: "a", seconds: 1), .advanced(stage: "b", done: 1),
        .advanced(stage: "c", done: 2),
      ])
    #expect(await queue.next() == nil)
  }

  @Test("more events than it holds push out the oldest")
  func limit() async {
    let queue = ProgressQueue()
    let all = (0..<ProgressQueue.limit + 5).map { BuildProgress.ended(stage: "\($0)", seconds: 0) }
    for event in all { queue.append(event) }
    queue.end()
    #expect(await events(of: queue) == Array(all.dropFirst(5)))
  }

  @Test("a task that waits gets the next event, and the end")
  func waiting() async {
    let queue = ProgressQueue()
    async let events = events(of: queue)
    for done in 0..<100 {
      queue.append(.ended(stage: "\(done)", seconds: 0))
      await Task.yield()
    }
    queue.end()
    #expect(await events.count == 100)
  }
}
