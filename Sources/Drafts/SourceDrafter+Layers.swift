import Definition
import Features
import GDAL
import OrderedCollections
import Runs

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
