import Definition
import Features
import Foundation
import GDAL
import OrderedCollections
import Reuse
import Runs
import SystemPackage

/// The conversions by GDAL that the readings of a draft share: each file is read several times.
final class DraftConversions {
  private let surroundings: GDALSurroundings
  private var known: [String: VectorConversion] = [:]

  /// - Parameter context: the run that drafts.
  init(_ context: RunContext) {
    let folder =
      context.options.temporaryFolder ?? FileManager.default.temporaryDirectory.path
    var surroundings = GDALSurroundings(folder: FilePath(folder))
    surroundings.checkpoint = { [cancellation = context.cancellation] in
      try cancellation.check()
    }
    self.surroundings = surroundings
  }

  /// Gives the sources of a definition the conversions of earlier ones that read the same.
  func share(with definition: inout PipelineDefinition) {
    let keys = definition.sources.map { source in
      ["data", "layer", "crs"].map { source.node[$0]?.text ?? "" }.joined(separator: "\n")
    }
    for index in definition.sources.indices where definition.sources[index].type == "ogr" {
      definition.sources[index].converted = known[keys[index]]
    }
    definition.findConverted(surroundings)
    for index in definition.sources.indices {
      if let conversion = definition.sources[index].converted { known[keys[index]] = conversion }
    }
  }
}

extension SourceDrafter {
  /// Drafts the layers of a file that GDAL reads; empty ones are left out if there are several.
  ///
  /// - Parameters:
  ///   - path: the file as the pipeline names it.
  ///   - limit: the most sources.
  ///   - naming: returns the name of the source for a layer; `nil` for the only one.
  /// - Throws: as ``records(name:keys:)`` where no layer can be drawn.
  func layers(
    _ path: String, limit: Int, naming: (String?, [SourceDraft]) -> String
  ) throws -> [SourceDraft] {
    let keys: OrderedDictionary<String, PropertyValue> = [
      "type": .string("ogr"), "data": .string(path),
    ]
    let probe = try definition("data", keys)
    try probe.requireFiles()
    let names = try probe.sources[0].converted?.layerNames() ?? []
    guard names.count > 1 else { return [try records(name: naming(nil, []), keys: keys)] }
    var drafts: [SourceDraft] = []
    var failure: PipelineError?
    for layer in names where drafts.count < limit {
      var own = keys
      own["layer"] = .string(layer)
      do {
        drafts.append(try records(name: naming(layer, drafts), keys: own))
      } catch let error as PipelineError where !error.isStop {
        failure = failure ?? error
      }
    }
    if drafts.isEmpty, let failure { throw failure }
    return drafts
  }
}
