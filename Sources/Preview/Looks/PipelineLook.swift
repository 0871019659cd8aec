import Definition
import Failures
import Foundation
import JSON
import Reports
import Runs
import Styling
import SystemPackage

/// The paint and layout of a pipeline's layers, which the page lets people try out.
struct PipelineLook {
  let file: FilePath

  /// Finds the pipeline that an archive was built from.
  ///
  /// - Parameter report: the path of the report beside the archive, which names the pipeline.
  /// - Returns: `nil` if there is no such report or file.
  init?(report: String) {
    guard let bytes = try? DocumentFile.read(report, limit: ReportExtract.maxBytes, waits: false),
      let name = ReportJSON(bytes)?["pipelineFile"]?.text, !DataLocation.isAddress(name)
    else { return nil }
    self.init(file: PipelineFile.path(name, besideArchive: report))
  }

  /// - Returns: `nil` if there is no such file.
  init?(file: FilePath) {
    self.file = file
    guard FileStamp(file.string) != nil else { return nil }
  }

  /// Decodes the file as it is now.
  ///
  /// - Throws: ``PipelineError`` if it is no valid pipeline.
  func definition() throws(PipelineError) -> PipelineDefinition {
    let environment = ProcessInfo.processInfo.environment
    return try PipelineDefinition(contentsOf: file.string, environment: { environment[$0] })
  }

  /// Returns the layers as the file has them now, without values that came from variables.
  ///
  /// - Parameters:
  ///   - isWatched: whether the page shows a change of the file by itself.
  ///   - target: the path that changes are kept in, if they can be.
  /// - Throws: ``PipelineError`` if the file is no valid pipeline.
  func json(isWatched: Bool, target: String?) throws(PipelineError) -> ReportJSON {
    let definition = try definition()
    let name = target.map { FilePath($0).lastComponent?.string ?? "" }
    return .members([
      "file": .string(name ?? file.lastComponent?.string ?? ""), "isWatched": .bool(isWatched),
      "version": name == nil ? .null : .string(Self.version(of: definition)),
      "layers": .array(definition.layers.map(Self.json)),
    ])
  }

  /// The state of a definition's files, by which a later one is told apart while the preview runs.
  static func version(of definition: PipelineDefinition) -> String {
    String(UInt(bitPattern: definition.material.documents.hashValue), radix: 36)
  }

  private static func json(_ layer: LayerDefinition) -> ReportJSON {
    // Default layers, which no file contains, have one place for all their values.
    let isDefault = (layer.paint + layer.layout).allSatisfy { $0.keyPlace == layer.place }
    var members: [ReportJSON.Member] = [
      .init("id", .string(layer.id)), .init("type", .string(layer.type.rawValue)),
      .init("isDefault", .bool(isDefault)),
    ]
    if let source = layer.source { members.append(.init("source", .string(source))) }
    if let filter = layer.filter, !filter.hasSubstitution {
      members.append(.init("filter", ReportJSON(filter.propertyValue)))
    }
    let properties =
      layer.layout.compactMap { json($0, "layout") } + layer.paint.compactMap { json($0, "paint") }
    members.append(.init("properties", .array(properties)))
    return .object(members)
  }

  private static func json(_ property: DocumentMember, _ group: String) -> ReportJSON? {
    guard !property.node.hasSubstitution else { return nil }
    let place = property.keyPlace
    let file = FilePath(place.file).lastComponent?.string ?? ""
    return .members([
      "group": .string(group), "name": .string(property.key),
      "value": ReportJSON(property.node.propertyValue), "place": .string("\(file):\(place.line)"),
    ])
  }
}

extension DocumentNode {
  /// Whether a variable has a part in the value, which may be secret.
  fileprivate var hasSubstitution: Bool {
    isSubstituted || items?.contains(where: \.hasSubstitution) == true
      || members?.contains(where: \.node.hasSubstitution) == true
  }
}
