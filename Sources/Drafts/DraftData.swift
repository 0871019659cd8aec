import Definition
import Foundation
import Inputs
import Reuse
import Runs
import SystemPackage
import Unpacking

/// The data of a draft on this machine: what is remote is fetched once, what is packed or of
/// a format of GDAL is unpacked or converted once, however often the sources are read.
final class DraftData {
  private let context: RunContext
  private let options: BuildOptions
  private var places: [String: any DataOrigin] = [:]
  private var tables: [String: PackedInput] = [:]

  init(_ context: RunContext) {
    self.context = context
    var options = context.options
    // The folder of the draft may be one that cannot be written.
    options.temporaryFolder =
      options.temporaryFolder ?? FileManager.default.temporaryDirectory.path
    self.options = options
  }

  /// Returns a pipeline whose sources lie on this machine.
  ///
  /// - Throws: ``PipelineError`` for data that cannot be fetched.
  func localized(_ definition: PipelineDefinition) throws(PipelineError) -> ResolvedPipeline {
    var sources: [ResolvedSource] = []
    for source in definition.sources {
      guard let place = places[Self.key(source)] else { return try locate(definition) }
      var resolved = ResolvedSource(source, place)
      let resolver = InputResolver(
        of: definition, folder: FilePath(options.temporaryFolder ?? "/tmp"))
      tables.merge(resolver.packedTables(of: source)) { known, _ in known }
      resolved.packedTables = tables
      sources.append(resolved)
    }
    return ResolvedPipeline(
      definition, sources: sources, sprites: definition.sprites.map { ResolvedSprite($0) })
  }

  private func locate(_ definition: PipelineDefinition) throws(PipelineError) -> ResolvedPipeline {
    try definition.requireFiles()
    let stage = InputStage(
      definition, options: options, clock: context.clock,
      cancellation: context.cancellation, progress: context.progress)
    let local = try stage.run()
    for source in local.sources where source.series == nil && source.warped == nil {
      places[Self.key(source.definition)] = source.origin
    }
    return local
  }

  /// The keys on which it depends where data lies, and how it is unpacked.
  private static func key(_ source: SourceDefinition) -> String {
    // A pipe delivers its bytes once, whatever reads them.
    if case .standardInput = source.data { return DataLocation.standardInputKey }
    let isConverted = source.node["type"]?.text == OGRSource.type
    return
      (["type", "data", "url", "frames", "layer", "crs"]
      + (isConverted ? ["x", "y", "encoding"] : []))
      .map { source.node[$0]?.text ?? "" }.joined(separator: "\n")
  }
}
