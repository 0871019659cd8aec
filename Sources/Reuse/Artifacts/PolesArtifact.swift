package import Definition
package import Scenes
import Styling

extension SourceDefinition {
  /// The name of the poles that the last run found which had to seek some.
  ///
  /// It says nothing of the polygons, unlike that of other artifacts: each pole is stored with a hash
  /// of its polygon, and is right wherever the polygon is.
  package var polesKey: ArtifactKey {
    ArtifactKey(kind: .poles, [name, dataName])
  }
}

extension PolygonPoles {
  /// The columns, shared with the poles.
  package var artifact: ArtifactWriter {
    var writer = ArtifactWriter()
    writer.append(polygons)
    writer.append(places)
    return writer
  }
}

extension ArtifactReader {
  /// Reads what ``PolygonPoles/artifact`` gives.
  ///
  /// - Complexity: O(bytes), one copy.
  package mutating func polygonPoles() throws(ArtifactDamage) -> PolygonPoles {
    let polygons = try column(of: StableHash.self)
    let places = try column(of: WorldPlace.self)
    guard let poles = PolygonPoles(polygons: polygons, places: places) else {
      throw ArtifactDamage("poles and polygons do not fit together")
    }
    return poles
  }
}
