import Definition
import Files
import Foundation
import JSON
import Runs
import Synchronization
import SystemPackage

/// The changed looks of a preview's pipelines: each is painted for the page that tries it out, and
/// written into the pipeline's file when the page wants to keep it.
package final class LookDesk: Sendable {
  /// Reads a pipeline's data; the files are those of the pipeline and its data.
  package typealias Opening =
    @Sendable (_ file: String) throws -> (tiles: any PaintedTiles, files: Set<String>)

  /// The pipeline that a draft is kept as.
  package struct Draft: Sendable {
    let target: String

    /// The other looks that its clusters can have.
    let looks: [String]

    /// Returns a path of the draft as it is spelled in the target.
    let spell: @Sendable (String) -> String

    /// Returns the text of the draft in one of the looks, or in none of them.
    let redraft: @Sendable (String?) throws -> String

    package init(
      target: String, looks: [String] = [], spell: @escaping @Sendable (String) -> String,
      redraft: @escaping @Sendable (String?) throws -> String = { _ in "" }
    ) {
      (self.target, self.looks) = (target, looks)
      (self.spell, self.redraft) = (spell, redraft)
    }
  }

  /// A pipeline whose data is read, as its file has it.
  private struct Base: Sendable {
    let tiles: any PaintedTiles
    let files: Set<String>
    var stamps: WatchedFiles

    init(_ tiles: any PaintedTiles, files: Set<String>) {
      (self.tiles, self.files) = (tiles, files)
      stamps = WatchedFiles(files)
    }
  }

  /// The word without which nothing is changed; only the page of this server has it.
  package let token =
    String(UInt64.random(in: .min ... .max), radix: 36)
    + String(UInt64.random(in: .min ... .max), radix: 36)

  private let open: Opening
  private let bases = Mutex<[String: Base]>([:])

  /// Held while data is read, looks are compiled and files are written; tiles do not wait for it.
  private let work = Mutex<Void>(())

  /// The looks that were painted last by their keys, the newest last.
  private let painted = Mutex<[(key: String, tiles: any PaintedTiles)]>([])

  /// The most looks whose tiles are painted: those of some pages and their last steps.
  private static let limit = 6

  /// The pipelines of tilesets that are painted, by the tilesets' identifiers.
  private let files: [String: String]

  /// The drafts by the paths of their temporary files.
  private let drafts: [String: Draft]

  /// The content that drafts were kept with, by their targets.
  private let kept = Mutex<[String: [UInt8]]>([:])

  /// The looks that drafts were drafted in anew, by the paths of their files.
  private let chosen = Mutex<[String: String]>([:])

  /// - Parameters:
  ///   - files: the pipelines of painted tilesets, by the tilesets' identifiers.
  ///   - drafts: those of them that no user wrote, by their paths.
  package init(
    files: [String: String] = [:], drafts: [String: Draft] = [:], open: @escaping Opening
  ) {
    self.files = files
    self.drafts = drafts.reduce(into: [:]) { $0[Self.normalized($1.key)] = $1.value }
    self.open = open
  }

  /// Takes a pipeline whose data is read already.
  package func add(_ tiles: any PaintedTiles, of file: String, files: Set<String>) {
    bases.withLock { $0[file] = Base(tiles, files: files) }
  }

  /// The pipeline of a painted tileset.
  func file(of tileset: String) -> String? { files[tileset] }

  /// The tiles of a painted tileset as its file has them.
  func tiles(of tileset: String) -> (any PaintedTiles)? {
    files[tileset].flatMap { file in bases.withLock { $0[file]?.tiles } }
  }

  /// The path of the file that a look is kept in.
  func target(of look: PipelineLook) -> String {
    draft(look.file.string)?.target ?? look.file.string
  }

  private func draft(_ file: String) -> Draft? { drafts[Self.normalized(file)] }

  private static func normalized(_ path: String) -> String {
    FilePath(path).lexicallyNormalized().string
  }

  // MARK: Painting

  /// The tiles of a key that ``paint(_:of:)`` returned; `nil` for one of too long ago.
  func tiles(key: String) -> (any PaintedTiles)? {
    painted.withLock { painted in
      guard let index = painted.firstIndex(where: { $0.key == key }) else { return nil }
      let found = painted.remove(at: index)
      painted.append(found)
      return found.tiles
    }
  }

  /// Returns the tiles of a pipeline in a changed look, with the key of their addresses.
  ///
  /// - Throws: for a pipeline that cannot be painted, or a look that its parser refuses.
  func paint(
    _ overlay: LookOverlay, of file: String
  ) throws -> (key: String, tiles: any PaintedTiles) {
    try work.withLock { _ in
      let base = try read(file)
      var hasher = Hasher()
      hasher.combine(file)
      hasher.combine(base.stamps)
      hasher.combine(overlay)
      let key = String(UInt(bitPattern: hasher.finalize()), radix: 36)
      if let known = tiles(key: key) { return (key, known) }
      let tiles = overlay == LookOverlay() ? base.tiles : try base.tiles.repainted(overlay)
      painted.withLock { painted in
        if painted.count == Self.limit { painted.removeFirst() }
        painted.append((key, tiles))
      }
      return (key, tiles)
    }
  }

  /// Returns the tiles of a pipeline as its file has them.
  func base(of file: String) throws -> any PaintedTiles {
    try work.withLock { _ in try read(file).tiles }
  }

  /// Returns a pipeline as its files are now, whose data is read unless it was.
  private func read(_ file: String) throws -> Base {
    if let base = bases.withLock({ $0[file] }), base.stamps == WatchedFiles(base.files) {
      return base
    }
    let opened = try open(file)
    let base = Base(opened.tiles, files: opened.files)
    bases.withLock { $0[file] = base }
    return base
  }

  // MARK: Drafts

  /// The looks that a draft can have, with the present one; `nil` where there is no choice.
  func choice(of look: PipelineLook) -> ReportJSON? {
    guard let draft = draft(look.file.string), !draft.looks.isEmpty else { return nil }
    let chosen = chosen.withLock { $0[look.file.string] }
    return .members([
      "looks": .array(draft.looks.map(ReportJSON.string)),
      "chosen": chosen.map(ReportJSON.string) ?? .null,
    ])
  }

  /// Drafts a pipeline anew, in one of its looks or, with `nil`, as at first, and reads its data.
  ///
  /// - Throws: ``PipelineError`` for a look that it does not have.
  func redraft(_ look: PipelineLook, as name: String?) throws(PipelineError) {
    let file = look.file.string
    guard let draft = draft(file), !draft.looks.isEmpty,
      name.map(draft.looks.contains) ?? true
    else { throw PipelineError(.usage, "the draft has no such look.") }
    try work.withLock { _ throws(PipelineError) in
      let text = try PipelineError.wrapping { try draft.redraft(name) }
      try Self.write(Array(text.utf8), to: look.file)
      chosen.withLock { $0[file] = name }
      _ = try PipelineError.wrapping { try read(file) }
    }
  }

  // MARK: Keeping

  /// Writes changes into the files of a pipeline, each as a whole; a draft into the current folder.
  ///
  /// - Parameter version: the state of the files that the changes were made for.
  /// - Throws: ``PipelineError``; then nothing of the file at fault is written.
  func keep(
    _ changes: [LookChange], of look: PipelineLook, version: String
  ) throws(PipelineError) {
    try work.withLock { _ throws(PipelineError) in
      let definition = try look.definition()
      guard PipelineLook.version(of: definition) == version else {
        throw PipelineError(
          .usage,
          "the file changed since the page read it. Load the page again; nothing was written.",
          at: DocumentPlace(file: look.file.string))
      }
      let edit = try LookEdit(changes, in: definition)
      let file = look.file.string
      let base = bases.withLock { $0[file] }
      let tiles = try PipelineError.wrapping { try base?.tiles.repainted(LookOverlay(changes)) }
      if let draft = draft(file) {
        try keep(edit.files[file] ?? definition.material.documents[file] ?? [], of: file, as: draft)
      }
      for (path, bytes) in edit.files.sorted(by: { $0.key < $1.key }) {
        try Self.replace(path, definition.material.documents[path] ?? [], by: bytes)
      }
      if let base, let tiles {
        bases.withLock { $0[file] = Base(tiles, files: base.files) }
      }
    }
  }

  private func keep(
    _ bytes: [UInt8], of file: String, as draft: Draft
  ) throws(PipelineError) {
    let text = try LookEdit.respelled(bytes, file: file, draft.spell)
    let last = kept.withLock { $0[draft.target] }
    if let last {
      try Self.replace(draft.target, last, by: text)
    } else {
      guard FileStatus(FilePath(draft.target), followsLinks: false) == nil else {
        throw PipelineError(
          .cannotCreate, "the file exists. Move it away, or copy the changes into it.",
          at: DocumentPlace(file: draft.target))
      }
      try Self.write(text, to: FilePath(draft.target))
    }
    kept.withLock { $0[draft.target] = text }
  }

  /// Replaces a file that is still as it was read, behind links, too.
  private static func replace(
    _ path: String, _ old: [UInt8], by new: [UInt8]
  ) throws(PipelineError) {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard try DocumentFile.read(target, limit: DocumentLimits().bytes) == old else {
      throw PipelineError(
        .usage, "the file changed meanwhile. Load the page again; it was not written.",
        at: DocumentPlace(file: path))
    }
    try write(new, to: FilePath(target), permissions: try? permissions(of: target))
  }

  private static func permissions(of path: String) throws -> FilePermissions? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber).map {
      FilePermissions(rawValue: CModeT($0.uint16Value))
    }
  }

  private static func write(
    _ bytes: [UInt8], to path: FilePath, permissions: FilePermissions? = nil
  ) throws(PipelineError) {
    do throws(Errno) {
      try DurableFile.write(
        bytes, to: path, permissions: permissions ?? DurableFile.publicPermissions)
    } catch {
      throw PipelineError(
        .cannotCreate, "the file cannot be written.", at: DocumentPlace(file: path.string),
        cause: "\(error)")
    }
  }
}
