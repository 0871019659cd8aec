import Baking
import Files
import Foundation
import Hashing
import MBTiles
import Reports
import Runs
import Series
import SystemPackage

// The frames of image series: a part holds whole archives, each with the facts that a build finds.

extension ShardPainter {
  /// Paints the archives of some frames of the series of a plan.
  func paintFrames(
    _ sections: [(index: Int, range: Range<Int>)], with build: Build, into writer: PartWriter
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let all = try folder.plannedFrames()
    for (index, range) in sections {
      let planned = all[index]
      try SeriesBuild(build: build).paint(
        range, of: planned, artifacts: folder.artifacts,
        notes: folder.document.notes, scratch: writer.scratch
      ) { density, painted in
        var facts = PartBytes()
        facts.append(counted: Array(try encoder.encode(painted)))
        try writer.append(
          .frame, archive: index * planned.fingerprints.count + density, facts,
          file: try MappedFile(writer.scratch))
      }
    }
  }
}

extension ShardMerge {
  /// Publishes the frames of all series as a build does.
  func publishFrames(
    of parts: [PartFile], with build: Build
  ) throws(PipelineError) -> [BuildReport] {
    var publication = SeriesBuild(build: build)
    for (index, planned) in try folder.plannedFrames().enumerated() {
      let densities = planned.fingerprints.indices
      let archives = try densities.map { density throws(PipelineError) in
        try frames(
          of: parts, series: index, planned.series.times,
          archive: index * densities.count + density)
      }
      publication.painted[planned.series.source] = PaintedFrames(
        planned, artifacts: folder.artifacts, notes: folder.document.notes
      ) { time, density, path in
        guard let frame = archives[density][time] else {
          throw PipelineError(.bug, "a frame is in no part.")
        }
        return try frame.write(to: path)
      }
    }
    return try publication.run()
  }

  /// Returns the archives of the frames of a series at one pixel density, by the frames' instants.
  ///
  /// - Throws: ``PipelineError`` with code `badData` where a part has other frames than its shard.
  private func frames(
    of parts: [PartFile], series: Int, _ times: [Int64], archive: Int
  ) throws(PipelineError) -> [Int64: FramePart] {
    var found: [Int64: FramePart] = [:]
    for (part, shard) in zip(parts, folder.document.shards) {
      let own = folder.document.sections(of: shard.range).first { $0.index == series }
      var records = part.records(.frame, archive: archive)
      for time in times[own?.range ?? 0..<0] {
        guard var content = try? records.next(), let frame = try? FramePart(&content, part),
          frame.facts.time == time
        else { throw part.misfit }
        found[time] = frame
      }
    }
    return found
  }
}

/// The archive of a frame in a part.
private struct FramePart {
  let facts: PaintedFrame
  private let archive: UnsafeRawBufferPointer

  /// The part, which keeps the bytes mapped.
  private let part: PartFile

  init(_ content: inout PartCursor, _ part: PartFile) throws {
    facts = try JSONDecoder().decode(PaintedFrame.self, from: Data(try content.counted()))
    archive = try content.rest()
    self.part = part
  }

  /// Writes the archive to a file that is not there yet.
  func write(to path: FilePath) throws -> PaintedFrame {
    guard Hexadecimal.text(SHA256.hash(data: archive)) == facts.sha256 else { throw part.misfit }
    do {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: DurableFile.publicPermissions)
      _ = try file.closeAfter { try file.writeAll(archive) }
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "write", path: path)
    }
    return facts
  }
}
