import Definition
import Features
import GDAL
import Inputs
import OrderedCollections
import Runs

extension SourceDrafter {
  /// Drafts the layers of a file that GDAL reads; empty ones are left out if there are several.
  ///
  /// - Parameters:
  ///   - path: the file as the pipeline names it.
  ///   - limit: the most sources.
  ///   - naming: returns the name of the source for a layer; `nil` for the only one.
  /// - Throws: as ``records(name:keys:)`` where no layer can be drawn, or not the one that is chosen.
  func layers(
    _ path: String, limit: Int, naming: (String?, [SourceDraft]) -> String
  ) throws -> [SourceDraft] {
    let keys: OrderedDictionary<String, PropertyValue> = [
      "type": .string("ogr"), "data": .string(path),
    ]
    let probe = try pipeline("data", keys)
    try probe.definition.requireFiles()
    let all = try probe.sources[0].conversion?.layerNames() ?? []
    if let chosen = choices.layer {
      var own = keys
      own["layer"] = .string(chosen)
      return [try layer(name: naming(chosen, []), keys: own)]
    }
    guard all.count > 1 else { return [try layer(name: naming(nil, []), keys: keys)] }
    var drafts: [SourceDraft] = []
    var drawn: Set<String> = []
    var failure: PipelineError?
    for layer in Self.verticesLast(all) where drafts.count < limit {
      if let whole = Self.vertices[layer], drawn.contains(whole) { continue }
      var own = keys
      own["layer"] = .string(layer)
      do {
        drafts.append(try self.layer(name: naming(layer, drafts), keys: own))
        drawn.insert(layer)
      } catch let error as PipelineError where !error.isStop {
        failure = failure ?? error
      }
    }
    if drafts.isEmpty, let failure { throw failure }
    return drafts
  }

  /// The layers of a GPX file that hold the vertices of others, which draw nothing where each segment
  /// is a single point.
  private static let vertices = ["track_points": "tracks", "route_points": "routes"]

  private static func verticesLast(_ names: [String]) -> [String] {
    names.filter { vertices[$0] == nil } + names.filter { vertices[$0] != nil }
  }

  /// Drafts one layer; one that names no reference system is read as degrees if its numbers may be.
  private func layer(
    name: String, keys: OrderedDictionary<String, PropertyValue>
  ) throws -> SourceDraft {
    do {
      return try records(name: name, keys: keys)
    } catch let error as PipelineError where error.code == .definition {
      var assumed = keys
      assumed["crs"] = .string("EPSG:4326")
      guard var draft = try? records(name: name, keys: assumed) else { throw error }
      draft.comments["crs"] = "The file names no reference system; its numbers look like degrees."
      return draft
    }
  }
}
