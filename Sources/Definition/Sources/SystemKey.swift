import GDAL
import Projections
import Runs

/// The key `crs` of text formats whose positions may be in another reference system than degrees.
enum SystemKey {
  static let specification = KeySpecification(
    "crs", .string,
    "The coordinate reference system of the positions, such as EPSG:3857 or EPSG:25832, instead of "
      + "longitude and latitude. All but EPSG:3857 need PROJ.")

  /// Returns the system that the key names; `nil` without it.
  static func system(_ keyed: KeyedNode) throws(PipelineError) -> ReferenceSystem? {
    guard let text = keyed.text("crs") else { return nil }
    guard let system = ReferenceSystem(text), VectorSelection.isSystem(text) else {
      throw keyed.fault("crs", refusal)
    }
    return system
  }

  static let refusal =
    "'crs' is a coordinate reference system such as EPSG:25832 or +proj=laea +lat_0=52."
}
