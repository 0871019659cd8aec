import Features
import Ingest
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import GeoPackages

/// One table of a real file, and what reading it gives; counts are those of `sqlite3` and `ogrinfo`.
struct RealTable: Sendable, CustomTestStringConvertible {
  var file: String
  var table: String
  var records: Int
  var withoutGeometry = 0
  var rejected = 0
  var testDescription: String { "\(file) \(table)" }
}

private let bentiu = "ets_bentiu_southsudan-osm-20170213.gpkg"
private let samples = "ets_gdal_sample_v1.2_no_extensions.gpkg"

private let tables: [RealTable] =
  [
    ("airports_all_points", 2), ("airports_all_polygons", 2), ("amenities_all_points", 4),
    ("amenities_all_polygons", 6), ("grassy_fields_polygons", 0), ("health_schools_points", 1),
    ("health_schools_polygons", 4), ("landuse_other_polygons", 3), ("natural_lines", 0),
    ("natural_polygons", 380), ("roads_paths_lines", 2243), ("towers_antennas_points", 5),
    ("villages_points", 11), ("waterways_lines", 191),
  ].map { RealTable(file: bentiu, table: $0.0, records: $0.1) }
  + [
    ("hydrography", 4652), ("leisure", 1356), ("roads", 275), ("terrain", 3202), ("undersea", 7),
    ("vegetation", 2701),
  ].map { RealTable(file: "ets_geonames_belgium.gpkg", table: $0.0, records: $0.1) }
  + [
    // Simplified to rings of three positions.
    RealTable(file: bentiu, table: "landuse_residential_polygons", records: 686, rejected: 2),
    RealTable(file: "nga_countries_0.gpkg", table: "country", records: 481, rejected: 25),
    RealTable(file: "nga_countries_0.gpkg", table: "country-name", records: 250),
    RealTable(file: "nga_countries_0.gpkg", table: "geo-lines", records: 11),
    RealTable(file: "nga_countries_0.gpkg", table: "land-border-country", records: 356),
    RealTable(file: "nga_countries_0.gpkg", table: "state", records: 7528),
    RealTable(file: samples, table: "attribute_table", records: 1, withoutGeometry: 1),
    RealTable(file: samples, table: "linestring2d", records: 2, withoutGeometry: 1),
    RealTable(
      file: "ets_null_geometry.gpkg", table: "PointExamples", records: 2, withoutGeometry: 1),
    RealTable(
      file: "ets_null_geometry.gpkg", table: "new_geopackage", records: 3, withoutGeometry: 2),
    RealTable(
      file: "ets_v12_bad_attributes.gpkg", table: "attribute_table", records: 1, withoutGeometry: 1),
    RealTable(
      file: "ets_v12_bad_attributes.gpkg", table: "linestring2d", records: 2, withoutGeometry: 1),
    RealTable(file: "nga_attributes.gpkg", table: "attributes", records: 10, withoutGeometry: 10),
    RealTable(file: "nga_gdal_sample.gpkg", table: "linestring2d", records: 2, withoutGeometry: 1),
    RealTable(file: "nga_geometrycollection.gpkg", table: "test", records: 1),
    RealTable(file: "nga_multipleholes.gpkg", table: "multipolywithholes", records: 1),
    RealTable(file: "nga_multipleholes.gpkg", table: "nga_icon", records: 0),
    RealTable(file: "nga_multipleholes.gpkg", table: "nga_style", records: 1, withoutGeometry: 1),
    RealTable(file: "nga_multipoint.gpkg", table: "multipoint", records: 1),
    RealTable(file: "nga_multipoint.gpkg", table: "nga_icon", records: 0),
    RealTable(file: "nga_multipoint.gpkg", table: "nga_style", records: 1, withoutGeometry: 1),
    RealTable(file: "nga_rivers.gpkg", table: "FEATURESriversds", records: 357),
    RealTable(file: "nga_styled.gpkg", table: "Drawing Layer 1", records: 7),
    RealTable(file: "nga_styled.gpkg", table: "nga_icon", records: 0),
    RealTable(file: "nga_styled.gpkg", table: "nga_style", records: 4, withoutGeometry: 4),
  ]

/// Tables of the samples whose coordinates lie in a system that is not read.
private let elsewhere = ["ets_gdal_sample_v1.2_no_extensions.gpkg", "nga_gdal_sample.gpkg"].flatMap
{
  file in
  ["2d", "3d"].flatMap { dimension in
    [
      "point", "multipoint", "multilinestring", "multipolygon", "geomcollection", "geometry",
      "polygon",
    ].map { (file, $0 + dimension) }
  } + [(file, "linestring3d")]
}

private func open(_ name: String) throws -> GeoPackageFile {
  try GeoPackageFile(path: FilePath(SharedData.path("gpkg/\(name)")), name: name)
}

@Suite(.enabled(if: SharedData.isThere, "needs ../shared/data"))
struct GeoPackageRealFilesTests {
  @Test("a table of a real file gives as many records as sqlite3 counts", arguments: tables)
  func counts(_ expected: RealTable) throws {
    let file = try open(expected.file)
    var options = GeoPackageOptions()
    options.table = expected.table
    let reader = try GeoPackageReader(file, options: options)
    let dump = try GeoPackageDump(reader)
    #expect(dump.ids.count == expected.records)
    #expect(dump.kinds.count { $0 == .none } == expected.withoutGeometry)
    #expect(reader.ledger.rejectedTotal == expected.rejected)
    #expect(reader.ledger.read == expected.rejected)
    #expect(dump.lines == dump.lines.sorted())
  }

  @Test("every table of every real file is read, refused by name, or one of tiles")
  func complete() throws {
    let names = Set(tables.map(\.file)).union(["ets_empty.gpkg", "nga_denver_tile.gpkg"])
    for name in names.sorted() {
      for entry in try open(name).contents {
        let isKnown =
          entry.kind == .tiles
          || tables.contains { $0.file == name && $0.table == entry.table }
          || elsewhere.contains { $0 == (name, entry.table) }
        #expect(isKnown, "\(name) \(entry.table)")
      }
    }
  }

  @Test(
    "coordinates in another system are refused with its name and the remedy", arguments: elsewhere)
  func otherSystems(_ name: String, _ table: String) throws {
    let file = try open(name)
    let error = #expect(throws: SourceError.self) { _ = try file.table(table) }
    let system = table == "polygon2d" ? "EPSG:32631 (WGS 84 / UTM zone 31N)" : "srs_id 0"
    #expect(error?.message.contains(system) == true)
    #expect(error?.message.contains("ogr2ogr -t_srs EPSG:4326") == true)
  }

  @Test("a file without contents is refused in one sentence")
  func empty() throws {
    let file = try open("ets_empty.gpkg")
    #expect(file.contents.isEmpty)
    let error = #expect(throws: SourceError.self) { _ = try GeoPackageReader(file) }
    #expect(error?.description == "ets_empty.gpkg: has no table of features or attributes")
  }

  @Test("columns of all types of an attribute table have their declared types")
  func attributeTypes() throws {
    let reader = try GeoPackageReader(try open("nga_attributes.gpkg"))
    #expect(
      reader.schema.map(\.type) == [.text, .real, .boolean, .integer, .text, .date, .datetime])
    let values = try #require(try GeoPackageDump(reader).values.first)
    #expect(
      values.map { $0?.typeName } == [
        "string", "number", "boolean", "number", "string", "string", "string",
      ])
  }

  @Test("metres of Web Mercator are converted to degrees")
  func rivers() throws {
    let dump = try GeoPackageDump(try GeoPackageReader(try open("nga_rivers.gpkg")))
    #expect(dump.geometry[0].hasPrefix("l 71.15372051522"))
  }

  @Test(
    "the spatial index finds the same as reading everything",
    arguments: [
      GeoBounds(west: 4, south: 50, east: 4.5, north: 51),
      GeoBounds(west: 3, south: 51.2, east: 3.1, north: 52),
      GeoBounds(west: 170, south: -80, east: 10, north: 80),
      GeoBounds(west: 100, south: 0, east: 101, north: 1),
      .world,
    ])
  func index(_ bounds: GeoBounds) throws {
    let file = try open("ets_geonames_belgium.gpkg")
    var options = GeoPackageOptions()
    options.table = "hydrography"
    let all = try GeoPackageDump(try GeoPackageReader(file, options: options))
    options.bounds = bounds
    let found = try GeoPackageDump(try GeoPackageReader(file, options: options))
    let places = all.geometry.map { $0.split(separator: " ").compactMap { Double($0) } }
    let brute = zip(all.ids, places).filter { _, place in
      let isInside =
        bounds.crossesAntimeridian
        ? place[0] >= bounds.west || place[0] <= bounds.east
        : place[0] >= bounds.west && place[0] <= bounds.east
      return isInside && place[1] >= bounds.south && place[1] <= bounds.north
    }.map(\.0)
    #expect(found.ids == brute)
  }

  @Test("a small box of a large table touches few pages and rows")
  func touchesLittle() throws {
    let file = try open("ets_geonames_belgium.gpkg")
    var options = GeoPackageOptions()
    options.table = "hydrography"
    options.bounds = GeoBounds(west: 4.3, south: 50.8, east: 4.4, north: 50.9)
    let before = file.pagesRead
    let reader = try GeoPackageReader(file, options: options)
    let dump = try GeoPackageDump(reader)
    #expect(dump.ids.count > 0)
    #expect(reader.rowsRead < 60)
    #expect(file.pagesRead - before < 120)
  }
}
