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
  /// - Throws: as ``records(name:keys:)`` where no layer can be drawn.
  func layers(
    _ path: String, limit: Int, naming: (String?, [SourceDraft]) -> String
  ) throws -> [SourceDraft] {
    let keys: OrderedDictionary<String, PropertyValue> = [
      "type": .string("ogr"), "data": .string(path),
    ]
    let probe = try pipeline("data", keys)
    try probe.definition.requireFiles()
    let names = Self.withoutVertices(try probe.sources[0].conversion?.layerNames() ?? [])
    guard names.count > 1 else { return [try layer(name: naming(nil, []), keys: keys)] }
    var drafts: [SourceDraft] = []
    var failure: PipelineError?
    for layer in names where drafts.count < limit {
      var own = keys
      own["layer"] = .string(layer)
      do {
        drafts.append(try self.layer(name: naming(layer, drafts), keys: own))
      } catch let error as PipelineError where !error.isStop {
        failure = failure ?? error
      }
    }
    if drafts.isEmpty, let failure { throw failure }
    return drafts
  }

  /// Returns the names without the layers of a GPX file that hold the vertices of others.
  private static func withoutVertices(_ names: [String]) -> [String] {
    let vertices = ["track_points": "tracks", "route_points": "routes"]
    return names.filter { name in vertices[name].map { !names.contains($0) } ?? true }
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
