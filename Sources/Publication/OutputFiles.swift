import Archives
package import Definition
import Files
import Inputs
import MBTiles
import Overlays
import Reports
import SystemPackage

/// The files that a build of a pipeline writes, replaces or removes, whether they exist or not.
package struct OutputFiles {
  /// The files beside one archive, or one manifest of a series.
  private struct Family {
    /// The archive or manifest.
    let archive: FilePath
    let name: String
    let stem: String

    /// The folder of the archive, found at the first name that could be one of the files.
    let folder: FilePlace

    /// The names of single files, with their roles.
    var roles: [String: String] = [:]

    /// The names of the frames; `nil` for an archive.
    var frames: FrameNames?

    init(_ path: String) {
      archive = FilePath(path)
      name = archive.lastComponent?.string ?? path
      stem = OutputDefinition.stem(of: name)
      folder = FilePlace(DurableFile.folder(of: archive).string)
    }

    /// Returns the role of a file in the archive's folder; `nil` if it is no file of the archive.
    func role(of file: String) -> String? {
      if let role = roles[file] { return role }
      if DeltaName.isDelta(file, of: name) { return "a delta to \(name)" }
      if DeltaName.isDownload(file, of: name) { return "the second name of a version of \(name)" }
      let visible = file.hasPrefix(".") ? String(file.dropFirst()) : file
      for base in roles.keys where visible.hasPrefix(base + ".") {
        let ending = visible.dropFirst(base.count + 1)
        if file.hasPrefix(".") {
          if ending == "lock" || ending.hasPrefix("tmp-") { return "a temporary file of \(name)" }
        } else if ending == "bad" || ending == "last" || Int(ending) != nil {
          return "an earlier \(base) that is kept"
        }
      }
      return nil
    }
  }

  private var families: [Family] = []

  /// The roles of files that exist, by the files themselves: they may have other names.
  private var roles: [FileKey: String] = [:]

  private struct FileKey: Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: FileStatus) { (device, inode) = (status.device, status.inode) }
  }

  package init(_ definition: PipelineDefinition) {
    for path in definition.outputPaths.joined() {
      var family = Family(path)
      let stem = family.stem
      family.roles = [
        family.name: "an archive of the pipeline",
        "\(stem).report.json": "the report of \(path)",
        "\(stem).updates.json": "the list of updates of \(path)",
        "\(stem).deltas.json": "the former list of updates of \(path)",
        "\(stem).packs.json": "the list of the packs of \(path)",
        "\(stem).changes.ndjson": "the changes of clusters of \(path)",
      ]
      if let lock = FilePath(definition.output.lockPath).lastComponent?.string {
        family.roles[lock] = "the lock file of \(path)"
      }
      for sidecar in Self.sidecars(besides: path, definition) {
        family.roles[sidecar] = "a file that a build writes beside \(path)"
      }
      if definition.hasSeries { family.frames = try? FrameNames(series: stem) }
      if let frames = family.frames {
        family.roles[family.name] = "the manifest of a series of the pipeline"
        family.roles[frames.animation] = "a picture of the series \(path)"
        family.roles[frames.contactSheet] = "a picture of the series \(path)"
      }
      families.append(family)
    }
    for pack in Self.packs(of: definition) {
      var family = Family(pack)
      family.roles = [
        family.name: "a pack of the pipeline",
        "\(family.stem).updates.json": "the list of updates of \(pack)",
      ]
      families.append(family)
    }
    for family in families {
      let folder = DurableFile.folder(of: family.archive)
      for (name, role) in family.roles {
        if let status = FileStatus(folder.appending(name)) { roles[FileKey(status)] = role }
      }
    }
  }

  /// The paths of the single files, sorted.
  package var paths: [String] {
    families.flatMap { family in
      family.roles.keys.map { DurableFile.folder(of: family.archive).appending($0).string }
    }.map { FilePath($0).lexicallyNormalized().string }.sorted()
  }

  /// Returns the role of a file; `nil` for a file that no build replaces or removes.
  package func role(of path: String) -> String? {
    if let status = FileStatus(FilePath(path)), let role = roles[FileKey(status)] { return role }
    for (folder, name) in FilePlace.names(of: path) {
      for family in families {
        if let role = family.role(of: name) ?? packRole(of: name, in: folder, besides: family),
          FilePlace(folder).isSame(as: family.folder)
        {
          return role
        }
        if let frames = family.frames, let role = Self.frameRole(of: name, frames),
          FilePlace(folder).isSame(
            as: FilePlace(DurableFile.folder(of: family.archive).appending(frames.series).string))
        {
          return role
        }
      }
    }
    return nil
  }

  private static func frameRole(of name: String, _ frames: FrameNames) -> String? {
    let path = "\(frames.series)/\(name)"
    if path == frames.latest || frames.isArchive(path) { return "a frame of the series" }
    return DeltaName.isDelta(name) ? "a delta of the series" : nil
  }

  /// Returns the role of an archive that an earlier build wrote as a pack: the next one replaces it,
  /// or removes it with its region.
  private func packRole(of name: String, in folder: String, besides family: Family) -> String? {
    guard name.hasPrefix("\(family.stem)-"),
      OutputDefinition.suffixes.contains(where: { name.hasSuffix($0) }),
      FileStatus.exists(FilePath(folder).appending(name)),
      PackMark.isFree(FilePath(folder).appending(name), forPacksOf: family.name)
    else { return nil }
    return "a pack of \(family.name)"
  }

  /// Returns the names of the sidecars, unless a build leaves them alone.
  private static func sidecars(besides path: String, _ definition: PipelineDefinition) -> [String] {
    let set = SidecarSet(stem: ReportFile.stem(ofArchive: path), inputs: "")
    guard definition.output.hasSidecars || (try? set.areForeign()) == false else { return [] }
    return set.paths.compactMap { $0.lastComponent?.string }
  }

  /// Returns the paths of the packs; none if the regions cannot be read, which is an error when the
  /// stage needs them.
  private static func packs(of definition: PipelineDefinition) -> [String] {
    guard let packs = definition.output.packs, let file = try? RegionFile(packs) else { return [] }
    return definition.tiles.scales.flatMap { scale in
      let names = PackNames(archive: definition.output.path, scale: scale)
      return [names.shared] + names.paths(ofRegions: file.regions.map(\.name))
    }
  }
}
