import Files
import MBTiles
import Overlays
import Platform
import Reports
import Runs
import SystemPackage

/// The publication of a new set of frames in place of the last one, step by step, each safe.
///
/// Everything is synced to disk before the first name changes. A run may be killed between any two
/// steps: the manifest in place names only files that exist.
struct SeriesPublication {
  let output: SeriesOutput
  let manifest: FramesManifest

  /// The pictures of these frames by name.
  let pictures: [(name: String, bytes: [UInt8])]

  /// A function that is called before each step; throwing ends the publication there.
  let beforeStep: (FramePublicationStep) throws -> Void

  /// The steps to perform, in order.
  ///
  /// An archive that was built replaces the old one even if the manifest has one of the same
  /// content: that one may be damaged.
  var steps: [FramePublicationStep] {
    var steps = manifest.publication(over: output.earlier)
    let placed = manifest.frames.map(\.archive.file).filter { output.built[$0] != nil }
    steps.removeAll { if case .place = $0 { true } else { false } }
    let isAliased = steps.contains { if case .alias = $0 { true } else { false } }
    if !isAliased, let newest = manifest.frames.last?.archive.file,
      placed.contains(newest) || !output.exists(output.names.latest)
    {
      steps.insert(.alias(of: newest), at: 0)
    }
    let gone = steps.compactMap { if case .remove(let file) = $0 { file } else { nil } }
    let left = output.leftovers(beside: manifest).filter { !gone.contains($0) }
    return placed.map { .place(file: $0) } + steps + left.map { .remove(file: $0) }
  }

  /// Performs the steps.
  func run(_ steps: [FramePublicationStep]) throws {
    for step in steps {
      if case .place(let file) = step, let path = output.built[file] { try Self.synchronize(path) }
    }
    var isPictured = false
    for step in steps {
      try beforeStep(step)
      switch step {
      case .place(let file): try output.place(file)
      case .alias(let file): try alias(file)
      case .manifest:
        try synchronizeArchives()
        try publishPictures()
        isPictured = true
        try publishManifest()
      case .remove(let file):
        // A file that is missing already counts as removed.
        unsafe unlink(output.path(file).string)
      }
    }
    if !isPictured { try publishPictures() }
    if !steps.isEmpty { try synchronizeArchives() }
  }

  /// Publishes the pictures before the manifest, so that a manifest in place has its pictures.
  private func publishPictures() throws(PipelineError) {
    for picture in pictures {
      try ReportFile.write(picture.bytes, to: output.folder.appending(picture.name).string)
    }
  }

  private func publishManifest() throws {
    let file = try FileDescriptor.open(
      output.manifest.temporary, .writeOnly, options: [.create, .truncate, .closeOnExec],
      permissions: DurableFile.publicPermissions)
    try file.closeAfter { _ = try file.writeAll(Array(manifest.json.utf8)) }
    try output.manifest.commit()
  }

  /// Makes `latest` a hard link to an archive, or a copy where the file system does not support
  /// links.
  private func alias(_ file: String) throws(PipelineError) {
    let target = output.path(output.names.latest)
    do {
      try DurableFile.duplicate(output.path(file), as: target)
    } catch {
      throw SeriesOutput.failure(error, doing: "write", target)
    }
  }

  private static func synchronize(_ path: FilePath) throws(PipelineError) {
    do {
      try DurableFile.synchronize(path)
    } catch {
      throw SeriesOutput.failure(error, doing: "make durable", path)
    }
  }

  /// Syncs the names in the folder of the archives to disk.
  private func synchronizeArchives() throws(PipelineError) {
    do {
      try DurableFile.synchronizeFolder(of: output.path(output.names.latest))
    } catch {
      throw SeriesOutput.failure(error, doing: "make durable", output.path(output.names.series))
    }
  }
}
