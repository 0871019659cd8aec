import Baking
import MBTiles
import Reuse
import Runs
import SystemPackage
import TileCodecs

/// A feed of the tiles of one archive from the parts of all shards.
struct PartFeed: TileFeed {
  let parts: [PartFile]
  let document: PlanDocument

  /// The number of the archive in the plan.
  let archive: Int
  let rows: PlannedRows
  let taps: TapPlan?
  let threads: Int
  let cancellation: Cancellation
  let tilePixels: Int
  let codec: TileCodec
  let zooms: ClosedRange<Int>
  let reuse: TileReuse

  func blank() throws -> [UInt8] { try codec.blank(side: tilePixels) }

  func forEachBatch(_ consume: (PaintedBatch) throws -> Void) throws {
    var batches = TileRows(rows, in: 0..<0)
    for (part, shard) in zip(parts, document.shards) {
      let own = document.sections(of: shard.range).first { $0.index == archive }
      batches.go(on: own?.range.count ?? 0)
      var records = part.records(.batch, archive: archive)
      while let batch = batches.next() {
        try cancellation.check()
        try reading(part) { () throws(PartDamage) in
          guard var content = try records.next() else { throw PartDamage() }
          return try content.batch(batch)
        } then: {
          try consume($0)
        }
      }
    }
  }

  func writeTaps(to sink: any TapSink) throws -> TapState? {
    guard let taps, taps.isCompact else { return nil }
    let stage = CompactTapStage(plan: taps, threads: threads, cancellation: cancellation)
    var blocks = try CompactTapStage.Writer(stage, stage.numbers(zooms), sink)
    for part in parts {
      var records = part.records(.block, archive: archive)
      var isEnd = false
      while !isEnd {
        try reading(part) { () throws(PartDamage) in
          guard var content = try records.next() else { return nil as CompactTapStage.Block? }
          return try content.block()
        } then: { block in
          if let block { try blocks.write(block) } else { isEnd = true }
        }
        try cancellation.check()
      }
    }
    try blocks.finish()
    return blocks.state
  }

  /// Reads a value of a part and uses it.
  private func reading<Value>(
    _ part: PartFile, _ read: () throws(PartDamage) -> Value, then use: (Value) throws -> Void
  ) throws {
    let value: Value
    do throws(PartDamage) {
      value = try read()
    } catch {
      throw part.misfit
    }
    try use(value)
  }
}

extension PartFile {
  /// The error for a part that is complete but has other content than its shard.
  var misfit: PipelineError {
    PipelineError(
      .badData, "the part does not hold what its shard consists of. Remove it and paint it again.",
      at: DocumentPlace(file: path.string))
  }
}
