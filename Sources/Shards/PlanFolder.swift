import Baking
import Crypto
package import Definition
import Fetching
import Files
import Foundation
import JSON
import MBTiles
import Platform
import Reuse
package import Runs
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
    digest = Array(SHA256.hash(data: bytes))
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
    let own = try PlanDocument.Program.current()
    guard document.program != own else { return }
    let program = document.program
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

  /// Checks every file that `plan.json` lists.
  ///
  /// - Throws: ``PipelineError`` with code `badData` or `missingInput` that names the first file
  ///   that differs.
  /// - Complexity: O(bytes), at some 2 GB/s.
  func verify(_ cancellation: Cancellation) throws(PipelineError) {
    for file in document.files { try verify(file, cancellation) }
  }

  /// Checks the files whose names begin with some text.
  func verify(under prefix: String, _ cancellation: Cancellation) throws(PipelineError) {
    for file in document.files where file.name.hasPrefix(prefix) { try verify(file, cancellation) }
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

  /// Decodes the pipeline as it was when the plan was made, with the options of that run.
  ///
  /// - Parameter output: the archive to write instead of the plan's; `nil` for that.
  package func definition(output: String? = nil) throws(PipelineError) -> PipelineDefinition {
    let pipeline = document.pipeline
    var material = DefinitionMaterial(file: pipeline.file)
    material.including = pipeline.including
    material.variables = pipeline.variables
    for (path, name) in pipeline.documents {
      material.documents[path] = try DocumentFile.read(
        try self.path(of: name).string, limit: DocumentLimits().bytes)
    }
    var options = BuildOptions()
    options.output = output ?? document.options.output
    options.minZoom = document.options.minZoom
    options.maxZoom = document.options.maxZoom
    options.bounds = document.options.bounds?.value
    var definition = try PipelineDefinition(material).applying(options)
    guard definition.tiles.scales == document.archives.map(\.scale) else {
      throw PipelineError(
        .badData, "its archives are not those of its pipeline. Make the plan again.",
        at: DocumentPlace(file: path.appending(Self.documentName).string))
    }
    var copies: [String: String] = [:]
    for (path, name) in pipeline.copies { copies[path] = try self.path(of: name).string }
    let known = Dictionary(document.sources.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    for index in definition.sources.indices {
      definition.sources[index].place(known[definition.sources[index].name], copies)
    }
    var fetched = document.sprites.map { $0.value(copies) }[...]
    for index in definition.sprites.indices { definition.sprites[index].place(&fetched, copies) }
    if definition.sources.contains(where: { $0.records?.isStore == true }) {
      try definition.resolveStores()
    }
    for index in definition.sources.indices {
      guard let facts = known[definition.sources[index].name] else { continue }
      definition.sources[index].notes = facts.notes
      definition.sources[index].layerName = facts.layer
    }
    return definition
  }
}

extension PlanDocument.Program {
  /// The running program.
  ///
  /// - Throws: ``PipelineError`` where its file cannot be read.
  static func current() throws(PipelineError) -> PlanDocument.Program {
    guard let sha256 = try ProgramIdentity.sha256() else {
      throw PipelineError(
        .permission,
        "the program's own file cannot be read, whose SHA-256 is part of every plan. Give this user "
          + "read permission.")
    }
    var name = utsname()
    uname(&name)
    let machine = withUnsafeBytes(of: &name.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return Self(version: PipelineVersion.current, sha256: sha256, machine: machine)
  }
}

extension SpriteDefinition {
  /// Leads the sprite to the copies of its files; those that the plan's run did not find are left
  /// out.
  ///
  /// - Parameter fetched: the fetched files of this sprite and those after it, in their order.
  fileprivate mutating func place(
    _ fetched: inout ArraySlice<FetchedFile>, _ copies: [String: String]
  ) {
    parts = parts.compactMap { part in
      var part = part
      switch part.location {
      case .file(let path):
        guard let copy = copies[path] else { return nil }
        part.shownName = path
        part.location = .file(copy)
      case .url:
        guard let file = fetched.popFirst() else { return nil }
        part.location = .fetched([file])
      case .fetched, .inline, .none: break
      }
      return part
    }
  }
}

extension SourceDefinition {
  /// Leads the source to the copies of its files, and to what is known of them.
  fileprivate mutating func place(_ facts: PlanDocument.Source?, _ copies: [String: String]) {
    switch data {
    case .file(let path):
      if let copy = copies[path] {
        shownName = path
        data = .file(copy)
      }
    case .url:
      data = .fetched((facts?.fetched ?? []).map { $0.value(copies) })
      if let absence = facts?.absence {
        self.absence = absence
        absentAddresses = Set(facts?.absentAddresses ?? [])
        records?.changes = ChangeDefinition()
      }
    case .fetched, .inline, .none: break
    }
    if case .image(var image) = kind, let file = image.worldFile, let copy = copies[file] {
      image.position = .worldFile(copy)
      kind = .image(image)
    }
  }
}
