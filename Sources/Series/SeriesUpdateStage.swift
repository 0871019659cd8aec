import Archives
import Baking
import Definition
import Files
import MBTiles
import Overlays
import Platform
import Publication
import Reports
import Runs
import SystemPackage

/// The stage that writes the list of updates of a series, with the deltas of frames that were
/// replaced.
///
/// The series is in place by then, and stays if this stage fails. The caller holds its lock.
struct SeriesUpdateStage {
  let output: SeriesOutput
  let manifest: FramesManifest

  /// The archives of frames that were replaced, by their paths from the manifest.
  let replaced: [String: ArchiveReader]

  /// The deltas of earlier runs that stay, of each frame.
  let kept: KeptDeltas

  /// The signer of the list.
  let signer: ListSigner

  let clock: StageClock

  /// Runs the stage `delta`.
  ///
  /// - Returns: the deltas, and notes for the user.
  func run() throws(PipelineError) -> (deltas: [UpdateList.Entry], notes: [String]) {
    do throws(PipelineError) {
      return try clock.stage("delta", unit: .tiles) { _ in
        try ArchiveFailure.wrap(clock.cancellation) { try write() }
      }
    } catch {
      var failure = error
      failure.message =
        "\(output.manifest.archive) is published, but not its updates: \(error.message)"
      throw failure
    }
  }

  private func write() throws -> (deltas: [UpdateList.Entry], notes: [String]) {
    var notes: [String] = []
    let known: SeriesUpdates? = try paths.trusted(signedBy: signer.keys, &notes)
    var updates = SeriesUpdates(
      manifest: .init(
        file: output.names.manifest, bytes: try FileStatus.size(of: output.manifest.archive),
        sha256: try FileDigest.sha256(of: output.manifest.archive)),
      folder: output.names.series, frames: [])
    for frame in manifest.frames.map(\.archive) {
      let list = try list(of: frame, after: known, &notes)
      updates.frames.append(list.archive)
      updates.minimumClient = max(updates.minimumClient, list.minimumClient)
      if !list.deltas.isEmpty { updates.deltas[list.archive.file] = list.deltas }
    }
    if let note = try paths.publish(&updates, by: signer) { notes.append(note) }
    Self.removeDeltas(in: output, but: updates.files)
    return (manifest.frames.flatMap { updates.deltas[name(of: $0.archive), default: []] }, notes)
  }

  /// Makes the deltas of one frame.
  private func list(
    of frame: FrameArchive, after known: SeriesUpdates?, _ notes: inout [String]
  ) throws -> UpdateList {
    let (path, name) = (output.path(frame.file), name(of: frame))
    let known = known?.list(of: name)
    // The digests of a frame that stays are known without opening it.
    if let known, known.archive.sha256 == frame.sha256, replaced[frame.file] == nil,
      known.deltas.allSatisfy(DeltaFiles(of: path).isWhole)
    {
      return known
    }
    let new = try ArchiveReader.opening(path)
    let files = DeltaFiles(of: path, clock.cancellation)
    var list = UpdateList(
      archive: .init(
        file: name, bytes: try FileStatus.size(of: path), sha256: frame.sha256,
        state: new.state ?? ArchiveState(tiles: "")))
    if try new.hasTapBlocks() { list.minimumClient = UpdateList.blocksClient }
    list.keep(of: known, isWhole: files.isWhole)
    if let old = replaced[frame.file] { try files.add(from: old, to: new, &list, &notes) }
    if let known {
      list.appendSteps(
        of: known, avoiding: nil, limits: kept.limits(ofArchive: list.archive.bytes),
        isWhole: files.isWhole)
    }
    try files.merge(&list, &notes)
    return list
  }

  private func name(of frame: FrameArchive) -> String {
    FilePath(frame.file).lastComponent?.string ?? ""
  }

  private var paths: UpdatePaths { UpdatePaths(besides: output.manifest.archive) }

  /// Hides the list of updates and removes the deltas where they lead to other frames than those in
  /// place.
  ///
  /// - Returns: whether there was such a list.
  static func removeOutdated(of output: SeriesOutput) throws(PipelineError) -> Bool {
    let paths = UpdatePaths(besides: output.manifest.archive)
    guard let list = paths.seriesList else { return false }
    let digest = try PipelineError.wrapping {
      try FileDigest.sha256(of: output.manifest.archive)
    }
    guard list.manifest.sha256 != digest else { return false }
    paths.retire()
    removeDeltas(in: output, but: [])
    return true
  }

  private static func removeDeltas(in output: SeriesOutput, but files: Set<String>) {
    let folder = output.path(output.names.series)
    for file in FolderListing.names(in: folder)
    where DeltaName.isDelta(file) && !files.contains(file) {
      unsafe unlink(folder.appending(file).string)
    }
  }
}

extension SeriesRun {
  /// Opens the archives in place of frames that are about to be replaced; their files stay readable.
  func replacedFrames(of output: SeriesOutput) -> [String: ArchiveReader] {
    guard shared.build.options.writesDeltas else { return [:] }
    return output.built.keys.reduce(into: [:]) { readers, file in
      readers[file] = try? ArchiveReader.opening(output.path(file))
    }
  }

  /// Writes the list of updates, or removes that of the last frames.
  func settleUpdates(
    _ manifest: FramesManifest, _ output: SeriesOutput, replacing replaced: [String: ArchiveReader],
    _ report: inout BuildReport
  ) throws(PipelineError) {
    let options = shared.build.options
    if options.writesDeltas {
      let (deltas, notes) = try SeriesUpdateStage(
        output: output, manifest: manifest, replaced: replaced,
        kept: shared.build.definition.output.keptDeltas, signer: options.signer, clock: clock
      ).run()
      report.deltas = deltas.map {
        DeltaReport(
          file: "\(output.names.series)/\($0.file)", before: $0.start.tiles, bytes: $0.bytes)
      }
      report.notes += notes
    } else if try SeriesUpdateStage.removeOutdated(of: output) {
      report.notes.append(
        "the updates to the last frames were removed: this build, without --delta, makes none. With "
          + "'updates: {}' in 'output' every build does.")
    }
  }
}
