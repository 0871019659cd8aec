import Features
import Ingest
import SQLite

extension GeometrySystem {
  /// Returns the system with a number in `gpkg_spatial_ref_sys`, by the authority that its row
  /// names.
  ///
  /// - Throws: ``SourceError`` `badData` for any other system, with its name and how to convert.
  static func find(
    _ number: Int64?, table: String, in file: GeoPackageFile
  ) throws(SourceError) -> GeometrySystem {
    let remedy = "Or convert it: ogr2ogr -t_srs EPSG:4326 out.gpkg '\(file.name)'"
    let subject = "the coordinates of '\(GeoPackageFile.singleLine(table))' are in"
    guard let number else {
      throw file.bad(
        "\(subject) no reference system: its srs_id is NULL. Set 'type: ogr' and 'crs'. \(remedy) -s_srs EPSG:…"
      )
    }
    let row = try row(number, in: file)
    let authority = row?.authority ?? "EPSG"
    let code = row?.code ?? number
    if let system = GeometrySystem(authority: authority, number: code) { return system }
    if number == 0 || number == -1 {
      throw file.bad(
        "\(subject) an undefined \(number == 0 ? "geographic" : "Cartesian") system (srs_id "
          + "\(number)), so nobody knows where they are. Set 'type: ogr' and 'crs'. \(remedy) -s_srs EPSG:…"
      )
    }
    let called = row.map { " (\(GeoPackageFile.singleLine($0.name)))" } ?? ""
    throw file.bad(
      "\(subject) \(GeoPackageFile.singleLine(authority)):\(code)\(called), and only EPSG:4326 and "
        + "EPSG:3857 can be read as they are. Set 'type: ogr', with the table as 'layer'. \(remedy)"
    )
  }

  private static func row(
    _ number: Int64, in file: GeoPackageFile
  ) throws(SourceError) -> (name: String, authority: String, code: Int64)? {
    guard try file.entry("gpkg_spatial_ref_sys")?.isTable == true else { return nil }
    return try file.run("read 'gpkg_spatial_ref_sys'") { database throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT srs_name, organization, organization_coordsys_id FROM gpkg_spatial_ref_sys "
          + "WHERE srs_id = ?1 LIMIT 1")
      try statement.bind(number, at: 1)
      guard try statement.step() else { return nil }
      return (statement.text(0) ?? "", statement.text(1) ?? "", statement.integer(2))
    }
  }
}
