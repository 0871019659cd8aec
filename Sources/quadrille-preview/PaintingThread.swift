import Baking
import Definition
import Dispatch
import Pipeline
import Preview
import Runs
import Synchronization
import Tiling
import Workers

/// The thread that paints the tiles of a pipeline when the page asks for them.
final class PaintingThread: PaintedTiles {
  let description: PaintedDescription

  private typealias Job = @Sendable (TilesOnDemand) -> Void

  /// The jobs that wait: the newest is done first, since it belongs to what the page shows now.
  private final class Queue: Sendable {
    private let jobs = Mutex<[Job]>([])
    private let count = DispatchSemaphore(value: 0)

    func append(_ job: @escaping Job) {
      jobs.withLock { $0.append(job) }
      count.signal()
    }

    func next() -> Job? {
      count.wait()
      return jobs.withLock { $0.popLast() }
    }
  }

  /// A value that another thread waits for.
  private final class Answer<Value: Sendable>: Sendable {
    private let value = Mutex<Result<Value, any Error>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func give(_ result: Result<Value, any Error>) {
      value.withLock { $0 = result }
      isThere.signal()
    }

    func wait() throws -> Value {
      isThere.wait()
      guard let result = value.withLock({ $0 }) else {
        throw PipelineError(.bug, "a tile was not painted.")
      }
      return try result.get()
    }
  }

  private let queue: Queue

  /// The seconds that a search may take; painting waits meanwhile.
  private static let searchSeconds = 1.0

  /// Reads the data of a pipeline.
  ///
  /// - Throws: ``PipelineError`` of the pipeline or its data.
  init(_ pipeline: String, _ pipelines: Pipelines) throws {
    let definition = try pipelines.definition(pipeline)
    let (queue, start) = (Queue(), Answer<PaintedDescription>())
    let isRunning = WorkerThreads.run {
      let tiles: TilesOnDemand
      do throws(PipelineError) {
        tiles = try PipelineRunner.tilesOnDemand(
          definition, cancellation: Cancellation(), progress: { _ in })
        start.give(.success(try Self.describe(tiles)))
      } catch {
        return start.give(.failure(error))
      }
      while let job = queue.next() { job(tiles) }
    }
    guard isRunning else {
      throw PipelineError(.inputOutput, "the system starts no further thread.")
    }
    self.queue = queue
    description = try start.wait()
  }

  private static func describe(
    _ tiles: TilesOnDemand
  ) throws(PipelineError) -> PaintedDescription {
    let definition = tiles.definition
    var description = PaintedDescription(
      name: definition.name, bounds: tiles.bounds, positions: tiles.positions(limit: 100_000),
      zooms: definition.tiles.minZoom...definition.tiles.maxZoom,
      tileSize: definition.tiles.tileSize, answersTaps: tiles.answersTaps)
    description.description = definition.description
    description.attribution = definition.attribution
    description.legend = try tiles.legend(scale: PaintedDescription.legendScale)
    return description
  }

  private func asked<Value: Sendable>(
    _ work: @escaping @Sendable (TilesOnDemand) throws -> Value
  ) throws -> Value {
    let answer = Answer<Value>()
    queue.append { tiles in answer.give(Result { try work(tiles) }) }
    return try answer.wait()
  }

  func picture(_ tile: TileCoord, scale: Int) throws -> [UInt8]? {
    try asked { try $0.picture(tile, scale: scale) }
  }

  func grid(_ tile: TileCoord) throws -> [UInt8]? { try asked { try $0.grid(tile) } }

  func records(
    limit: Int, matching: @escaping @Sendable ([UInt8]) -> Bool
  ) throws -> [(json: [UInt8], place: LngLat)] {
    try asked { tiles in
      let end = ContinuousClock.now + .seconds(Self.searchSeconds)
      var found: [(json: [UInt8], place: LngLat)] = []
      tiles.forEachRecord { json, place in
        if matching(json) { found.append((json, place)) }
        return found.count < limit && ContinuousClock.now < end
      }
      return found
    }
  }
}
