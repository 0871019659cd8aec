import Features
package import Inputs
package import Scenes

extension ResolvedSource {
  /// The name of the poles that were found by the last run that computed any.
  ///
  /// Unlike the names of other artifacts it does not depend on the polygons: each pole is stored
  /// with a hash of its polygon, and is valid wherever the polygon is.
  package func polesKey(program: String? = ProgramIdentity.text) -> ArtifactKey {
    ArtifactKey(kind: .poles, [name, dataName], program: program)
  }
}

extension PolygonPoles {
  /// A writer of the columns, which shares its storage with the poles.
  package var artifact: ArtifactWriter {
    var writer = ArtifactWriter()
    writer.append(polygons)
    writer.append(places)
    return writer
  }
}

extension ArtifactReader {
  /// Reads the columns of ``PolygonPoles/artifact``.
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
