import Baking
import MBTiles
import Reuse
import Runs
import SystemPackage
import TileCodecs

/// The tiles of one archive, read from the parts of all shards.
struct PartSequence {
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

  /// Writes all rows, and the compact taps, in order.
  func write(
    _ writer: ArchiveWriter, _ record: SceneRecord, _ advance: (Int) throws -> Void
  ) throws {
    var writing = RowWriter(
      writer, record, blank: try codec.blank(side: tilePixels), taps: taps?.grids)
    var batches = TileRows(rows, in: 0..<0)
    for (part, shard) in zip(parts, document.shards) {
      let own = document.sections(of: shard.range).first { $0.index == archive }
      batches.go(on: own?.range.count ?? 0)
      var records = part.records(.batch, archive: archive)
      while let batch = batches.next() {
        try cancellation.check()
        try reading(part) { () throws(PartDamage) in
          guard var content = try records.next() else { throw PartDamage() }
          let painted = try content.batch(batch)
          guard taps.map({ $0.knows(painted.grids, zoom: batch.zoom.zoom) }) ?? true else {
            throw PartDamage()
          }
          return painted
        } then: {
          try writing.write($0)
        }
        try advance(writing.written)
      }
    }
    try writing.finish(threads: threads, cancellation)
    if let taps, taps.isCompact { try writeBlocks(taps, to: writer) }
  }

  private func writeBlocks(_ taps: TapPlan, to writer: ArchiveWriter) throws {
    let stage = CompactTapStage(plan: taps, threads: threads, cancellation: cancellation)
    var blocks = try CompactTapStage.Writer(stage, stage.numbers(zooms), writer)
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
