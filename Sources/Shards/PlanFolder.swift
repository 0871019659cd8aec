import Baking
import Definition
import Files
import Foundation
import Hashing
import Reuse
package import Runs
package import Series
package import SystemPackage

/// A folder that `quadrille plan --shards` wrote: immutable files from which other processes paint
/// shards, and the parts that they paint.
package struct PlanFolder {
  /// The path of the folder.
  package let path: FilePath

  let document: PlanDocument

  /// SHA-256 of `plan.json`, by which parts name their plan.
  let digest: [UInt8]

  static let documentName = "plan.json"
  static let artifactsName = "artifacts"
  static let partsName = "parts"

  /// The maximum size of `plan.json`, in bytes.
  private static let limit = 256 << 20

  /// The number of shards.
  package var shardCount: Int { document.shards.count }

  /// Opens a folder.
  ///
  /// - Throws: ``PipelineError``: `missingInput` where there is no plan, `badData` for the plan of
  ///   another program or machine, and for a `plan.json` that cannot be read as one.
  package init(_ path: FilePath) throws(PipelineError) {
    self.path = path
    let file = path.appending(Self.documentName)
    let bytes: [UInt8]
    do {
      bytes = try DocumentFile.read(file.string, limit: Self.limit)
    } catch {
      guard error.code == .missingInput else { throw error }
      throw PipelineError(
        .missingInput,
        "there is no plan in this folder. Make one: quadrille plan --shards N -o \(path) FILE",
        at: DocumentPlace(file: path.string))
    }
    digest = SHA256.hash(data: bytes)
    do {
      document = try JSONDecoder().decode(PlanDocument.self, from: Data(bytes))
    } catch {
      throw PipelineError(
        .badData, "this is not a plan of this version. Make the plan again.",
        at: DocumentPlace(file: file.string), cause: "\(error)")
    }
    try requireOwn(file)
  }

  /// Refuses the plan of another program: its parts would have other bytes.
  private func requireOwn(_ file: FilePath) throws(PipelineError) {
    let place = DocumentPlace(file: file.string)
    guard document.format == PlanDocument.format, document.version == PlanDocument.version,
      document.isSound
    else {
      throw PipelineError(
        .badData, "this is not a plan of this version. Make the plan again.", at: place)
    }
    let program = document.program
    guard !program.isThisFile else { return }
    let own = try PlanDocument.Program.current()
    guard program.sha256 != own.sha256 || program.machine != own.machine else { return }
    if program.machine != own.machine {
      throw PipelineError(
        .badData,
        "the plan was made on \(program.machine), and this machine is \(own.machine), where tiles "
          + "may get other bytes. Use machines of one architecture.", at: place)
    }
    throw PipelineError(
      .badData,
      "the plan was made by another program (quadrille \(program.version), SHA-256 "
        + "\(program.sha256.prefix(12))…) than this one (\(own.version), \(own.sha256.prefix(12))…). "
        + "Install the same program on all machines, or make the plan again.", at: place)
  }

  /// Returns the path of a shard's part.
  func part(_ shard: Int) -> FilePath {
    let digits = String(shard)
    let zeros = String(repeating: "0", count: max(0, 5 - digits.count))
    return path.appending(Self.partsName).appending("part-\(zeros)\(digits).tiles")
  }

  /// Checks files that `plan.json` lists.
  ///
  /// - Parameter isWanted: whether a file is needed, of a name.
  /// - Throws: ``PipelineError`` with code `badData` or `missingInput` that names the first file
  ///   that differs.
  /// - Complexity: O(bytes), at some 2 GB/s per thread.
  func verify(
    threads: Int, _ cancellation: Cancellation, where isWanted: (String) -> Bool = { _ in true }
  ) throws {
    var wanted = document.files.filter { isWanted($0.name) }[...]
    try OrderedWork<PlanDocument.File, Void>(threads: threads, limit: threads * 2).run(
      worker: { { try verify($0, cancellation) } },
      next: { wanted.popFirst() }, consume: { _ in })
  }

  /// Checks the copies that painting reads; artifacts are checked where they are read.
  ///
  /// - Parameter frames: the names of the frames' images that are read, of all of them.
  func verifyCopies(
    of frames: Set<String>, threads: Int, _ cancellation: Cancellation
  ) throws {
    let others = Set(document.series.flatMap(\.frames.paths)).subtracting(frames)
    try verify(threads: threads, cancellation) { name in
      !name.hasPrefix("\(Self.artifactsName)/") && !others.contains(name)
    }
  }

  private func verify(
    _ file: PlanDocument.File, _ cancellation: Cancellation
  ) throws(PipelineError) {
    let path = try self.path(of: file.name)
    let place = DocumentPlace(file: path.string)
    let digest: FileDigest
    do {
      let handle = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      digest = try handle.closeAfter {
        try FileDigest(of: handle, checkpoint: { try cancellation.check() })
      }
    } catch let error as PipelineError {
      throw error
    } catch let error as Errno where error == .noSuchFileOrDirectory {
      throw PipelineError(
        .missingInput, "this file of the plan is missing. Make the plan again.", at: place)
    } catch {
      throw PipelineError(
        .inputOutput, "this file of the plan cannot be read.", at: place, cause: "\(error)")
    }
    guard digest.sha256 == file.sha256 else {
      throw PipelineError(
        .badData, "this file of the plan is damaged. Make the plan again.", at: place)
    }
  }

  /// Returns the path of a file of the folder.
  ///
  /// - Throws: ``PipelineError`` with code `badData` for a name that leads out of the folder.
  func path(of name: String) throws(PipelineError) -> FilePath {
    let relative = FilePath(name)
    guard relative.isRelative, !relative.isEmpty, relative.isLexicallyNormal,
      !relative.components.contains("..")
    else {
      throw PipelineError(
        .badData, "'\(name)' is not the name of a file of the plan. Make the plan again.",
        at: DocumentPlace(file: path.appending(Self.documentName).string))
    }
    return path.pushing(relative)
  }

  // MARK: What the files hold

  /// The artifacts of the plan, which are only read.
  var artifacts: ArtifactCache {
    var cache = ArtifactCache(
      ofPlan: path.appending(Self.artifactsName), program: document.program.sha256)
    cache.isReadOnly = true
    return cache
  }

  /// Returns the rows of an archive.
  func rows(_ archive: PlanDocument.Archive) throws(PipelineError) -> PlannedRows {
    let artifacts = artifacts
    let key = artifacts.key(.rows, ["\(archive.scale)"])
    guard let rows = artifacts.value(key, PlannedRows.init), rows.count == archive.rows else {
      try artifacts.requireAbsent(key)
      return PlannedRows([])
    }
    return rows
  }

  /// Gives the palette of an archive to the tiles of which it was trained.
  func adoptPalette(
    of archive: PlanDocument.Archive, for planned: PlannedTiles
  ) throws(PipelineError) {
    let artifacts = artifacts
    let key = artifacts.key(.palette, ["\(archive.scale)"])
    guard artifacts.value(key, planned.adoptPalette) == nil else { return }
    try artifacts.requireAbsent(key)
  }

  /// Returns the frames of all series, with the paths of their images.
  package func plannedFrames() throws(PipelineError) -> [PlannedFrames] {
    try document.series.map { series throws(PipelineError) in
      PlannedFrames(
        series: try series.frames.moved { name throws(PipelineError) in
          try self.path(of: name).string
        },
        fingerprints: series.inputs.map { BuildFingerprint($0) })
    }
  }

  /// Returns the table of the shards.
  ///
  /// - Parameter pipeline: the name of the pipeline.
  package func summary(of pipeline: String) -> ShardPlanSummary {
    document.summary(of: pipeline, in: path)
  }
}
