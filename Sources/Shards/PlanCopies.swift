import Definition
import Features
import Fetching
import Files
import Foundation
import GDAL
import Ingest
import Inputs
import JSON
import MBTiles
import Reuse
import Runs
import SystemPackage

/// The copies of files that a plan's folder has: the pipeline's own, and images with their world
/// files or the pixels that GDAL made of them, and sprites. Records are there as artifacts.
struct PlanCopies {
  private var documents: [String: String] = [:]
  private var copies: [String: String] = [:]
  private var warped: [String: PlanDocument.Warped] = [:]

  /// The names of all copies, also of frames, by the paths of the files.
  private var names: [String: String] = [:]

  /// The number of each folder that a copied file comes from.
  private var folders: [String: Int] = [:]
  private let folder: PendingFolder

  init(_ pipeline: ResolvedPipeline, _ folder: PendingFolder) throws {
    self.folder = folder
    let definition = pipeline.definition
    try folder.makeFolder("documents")
    for (number, path) in definition.material.documents.keys.sorted().enumerated() {
      guard let bytes = definition.material.documents[path] else { continue }
      let name = "documents/\(number)-\(FilePath(path).lastComponent?.string ?? "pipeline")"
      try bytes.withUnsafeBytes { try folder.write($0, to: FilePath(name)) }
      documents[path] = name
    }
    for source in pipeline.sources where source.image != nil || source.records?.isStore == true {
      if let image = source.warped {
        warped[source.name] = try write(image, number: warped.count)
        continue
      }
      for path in source.inputFiles.compactMap(\.path) + source.origin.fetched.map(\.path) {
        copies[path] = try copy(path)
      }
      if let file = source.series?.image?.worldFile { copies[file] = try copy(file) }
    }
    for path in pipeline.sprites.flatMap(\.parts).compactMap(\.path) {
      copies[path] = try copy(path)
    }
    if let path = definition.output.packs?.regions { copies[path] = try copy(path) }
  }

  /// Copies a file; files of one folder stay together, since a world file is found by its name.
  ///
  /// - Returns: the name of the copy within the folder of the plan.
  mutating func copy(_ path: String) throws(PipelineError) -> String {
    if let name = names[path] { return name }
    let origin = FilePath(path).removingLastComponent().string
    let number = folders[origin] ?? folders.count
    folders[origin] = number
    let place = "inputs/\(number)"
    let name = "\(place)/\(FilePath(path).lastComponent?.string ?? "input")"
    let target = folder.temporary.pushing(FilePath(name))
    do {
      try folder.makeFolder(FilePath(place))
      try DurableFile.copy(FilePath(path), to: target)
    } catch {
      throw PipelineError(
        .inputOutput, "this file cannot be copied into the plan.", at: DocumentPlace(file: path),
        cause: "\(error)")
    }
    names[path] = name
    return name
  }

  /// Writes the pixels of an image that GDAL warps.
  private func write(_ image: WarpedImage, number: Int) throws -> PlanDocument.Warped {
    let content = try PipelineError.wrapping { try image.conversion.content() }
    let name = "warped/\(number).pixels"
    try folder.makeFolder("warped")
    try folder.write(content.pixels.bytes, to: FilePath(name))
    return PlanDocument.Warped(
      pixels: name, hasValues: content.hasValues, grid: content.grid, format: content.format,
      bytes: image.bytes)
  }

  /// Returns the pipeline's part of the plan.
  func pipeline(_ definition: PipelineDefinition) throws -> PlanDocument.Pipeline {
    PlanDocument.Pipeline(
      file: definition.material.file, including: definition.material.including,
      replacing: definition.material.replacements, documents: documents,
      variables: try Self.variables(definition), copies: copies, warped: warped)
  }

  /// Returns the values of the variables that shards need: those that only locate data or open it
  /// are secrets, and masked.
  private static func variables(
    _ definition: PipelineDefinition
  ) throws(PipelineError) -> [String: String] {
    let wanted = try PipelineDefinition(definition.material).paintingDigest
    var material = definition.material
    for (name, value) in definition.material.variables.sorted(by: { $0.key < $1.key }) {
      let masks = ["", "https://", "PG:dbname="].map { $0 + RedactionList.mask }
      material.variables[name] =
        masks.first { mask in
          var masked = material
          masked.variables[name] = mask
          return (try? PipelineDefinition(masked))?.paintingDigest == wanted
        } ?? value
    }
    return material.variables
  }
}

extension PipelineDefinition {
  /// A digest of everything but the location of data and the way of fetching it.
  fileprivate var paintingDigest: String {
    let located: Set = ["data", "url", "headers"]
    var parts = [
      name, description, attribution, "\(tiles)", "\(view)", output.path,
      output.layout?.rawValue ?? "auto", output.packs.map { "\($0)" } ?? "",
      "\(expectation)",
    ]
    parts += layers.map { "\($0.propertyValue)" }
    parts += globalState.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    for sprite in sprites {
      parts.append("sprite \(sprite.kind)")
      for case .file(let path) in sprite.parts.map(\.location) { parts.append("file \(path)") }
    }
    for source in sources {
      parts.append(source.name)
      switch source.data {
      case .file(let path): parts.append("file \(path)")
      case .url: parts.append("url")
      case .patterns(let patterns): parts += patterns.map { "files \($0)" }
      case .inline, .standardInput, .memory, .connection, .none: break
      }
      if let file = source.image?.worldFile { parts.append("world file \(file)") }
      for member in source.node.members ?? [] where !located.contains(member.key) {
        parts.append("\(member.key) \(JSONWriter.text(member.node.propertyValue))")
      }
    }
    return Provenance.digest(of: parts)
  }
}
