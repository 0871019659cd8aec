import Features
import Files
package import SystemPackage

/// Records that GDAL converts to a GeoPackage when they are first needed, once only.
///
/// The GeoPackage has them in longitude and latitude, with the types of their columns and their
/// keys, and lies in a temporary folder that is removed with this object.
package final class VectorConversion: Sendable {
  /// The place of the records.
  package enum Origin: Sendable {
    /// A file.
    ///
    /// - Parameter called: the file's name if its path does not have it, as for a cached copy.
    case file(String, called: String?, member: String?)
    case database(DatabaseConnection)
  }

  /// A finished conversion.
  package struct Content: Sendable {
    /// The GeoPackage.
    package let path: FilePath

    /// The SHA-256 of its bytes, which follow from the records.
    package let sha256: String

    package let bytes: Int64

    /// The folder, kept as long as this value.
    private let folder: WorkFolder

    init(_ folder: WorkFolder, checkpoint: () throws -> Void) throws {
      path = folder.path.appending(VectorConversion.output)
      let digest = try FileDigest(of: path, checkpoint: checkpoint)
      (sha256, bytes) = (digest.sha256, digest.bytes)
      self.folder = folder
    }
  }

  fileprivate static let output = "records.gpkg"

  /// The key column of a layer that has none of its own: a name that no column has.
  private static let key = "quadrille_fid"

  /// The name of the records in messages.
  package let name: String

  package let origin: Origin
  private let selection: VectorSelection
  private let surroundings: GDALSurroundings
  private let outcome = Once<Content>()

  package init(
    _ origin: Origin, name: String, _ selection: VectorSelection,
    _ surroundings: GDALSurroundings
  ) {
    self.origin = origin
    self.name = name
    self.selection = selection
    self.surroundings = surroundings
  }

  /// The conversion, if it has taken place.
  package var known: Content? { outcome.known }

  /// Returns the GeoPackage; the first call makes it.
  ///
  /// - Throws: ``SourceError`` that names the records, and what the checkpoint throws.
  package func content() throws -> Content { try outcome.value(convert) }

  /// Returns the names of the layers of the data, in its order.
  package func layerNames() throws -> [String] {
    try layers(of: try opened()).names
  }

  /// The data linked into a work folder, as the programs find it.
  private struct Opened {
    let folder: WorkFolder
    let input: String
    let isDatabase: Bool
    let run: (GDALProgram) -> GDALRun
  }

  private func opened() throws -> Opened {
    let folder = try WorkFolder(in: surroundings.folder, for: name)
    var environment: [String: String] = [:]
    let input: String
    var isDatabase = false
    switch origin {
    case .file(let path, let called, let member):
      let file = GeodataFile(path)
      try file.checkShapefile(named: name)
      input = Self.argument(try file.link(into: folder, as: called), member: member)
    case .database(let connection):
      environment = connection.environment
      input = connection.argument
      isDatabase = true
    }
    var run = GDALRun(
      program: .ogrinfo, folder: folder, surroundings: surroundings, file: name,
      environment: environment, silence: selection.timeout)
    let formats = try run.output(["--formats"])
    run.environment["GDAL_SKIP"] = VectorDrivers.skipped(of: formats, forDatabase: isDatabase)
    return Opened(folder: folder, input: input, isDatabase: isDatabase) { [run] program in
      var run = run
      run.program = program
      return run
    }
  }

  private func layers(of opened: Opened) throws -> LayerList {
    do {
      return LayerList(try opened.run(.ogrinfo).output(["-ro", "-so", opened.input]))
    } catch let error as SourceError where error.code == .badData && isTable {
      throw tableRefusal
    }
  }

  /// Whether the data is a table in a text file, judged by its name; GDAL would need to be told
  /// the columns of coordinates.
  private var isTable: Bool {
    guard case .file(let path, let called, let member) = origin else { return false }
    let name = (member ?? called ?? path).lowercased()
    return [".csv", ".tsv", ".txt"].contains { name.hasSuffix($0) }
  }

  private var tableRefusal: SourceError {
    let system = selection.system ?? "EPSG:25832"
    return SourceError(
      code: .configuration, file: name,
      message:
        "is a table: 'type: csv' reads it, in degrees. For columns in \(system), here x and y, "
        + "ogr2ogr -f CSV -lco GEOMETRY=AS_XY -s_srs \(system) -t_srs EPSG:4326 "
        + "-oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y degrees.csv \(name) writes columns X and Y "
        + "in degrees, for 'type: csv'")
  }

  private func convert() throws -> Content {
    let opened = try opened()
    var (layer, isKeyed, hasStyles) = (chosenLayer, opened.isDatabase, false)
    if selection.sql == nil, !opened.isDatabase || layer == nil {
      let list = try layers(of: opened)
      layer = try self.layer(of: list)
      if selection.encoding != nil, list.driver != VectorDrivers.shapefile {
        throw SourceError(
          code: .configuration, file: name,
          message:
            "says itself how its texts are encoded: 'encoding' is for shapefiles. Leave it out")
      }
      isKeyed = VectorDrivers.keyed.contains(list.driver)
      hasStyles = list.driver == VectorDrivers.styled
    }
    try opened.run(.ogr2ogr).output(
      arguments(
        opened.input, layer: layer, isKeyed: isKeyed && selection.sql == nil, hasStyles: hasStyles),
      writing: Self.output)
    if hasStyles {
      // The query makes the whole style a column of the result; it is no longer needed.
      try opened.run(.ogrinfo).output([
        Self.output, "-sql",
        "ALTER TABLE \(Self.table(layer).quotedName) DROP COLUMN \(StyleColumns.whole)",
      ])
    }
    do {
      return try Content(opened.folder, checkpoint: surroundings.checkpoint)
    } catch let error as Errno {
      throw SourceError(
        code: error.isOfMachine ? .io : .badData, file: name,
        message: "was not read: ogr2ogr ended without an error and left no records (\(error))")
    }
  }

  /// Returns the name of a linked file as the programs take it.
  private static func argument(_ name: String, member: String?) -> String {
    let lower = name.lowercased()
    guard lower.hasSuffix(".zip"), !lower.hasSuffix(".gdb.zip") else { return "./\(name)" }
    return "/vsizip/{\(name)}" + (member.map { "/\($0)" } ?? "")
  }

  /// The layer that is named; for a spreadsheet, the sheet.
  private var chosenLayer: String? {
    guard selection.layer == nil, case .file(let path, let called, let member) = origin else {
      return selection.layer
    }
    let name = (called ?? path).lowercased()
    return [".xlsx", ".xlsm", ".ods"].contains(where: name.hasSuffix) ? member : nil
  }

  /// Returns the layer that is named, or the only one.
  private func layer(of list: LayerList) throws(SourceError) -> String {
    func fault(_ code: SourceError.Code, _ message: String) -> SourceError {
      SourceError(code: code, file: name, message: message)
    }
    let shown = list.names.prefix(12).joined(separator: ", ") + (list.names.count > 12 ? " …" : "")
    if let layer = chosenLayer {
      guard list.names.contains(layer) else {
        throw fault(
          .configuration,
          "has no layer '\(layer)'; its layers are \(shown.isEmpty ? "none" : shown)")
      }
      return layer
    }
    guard let only = list.names.first else { throw fault(.badData, "has no layer of records") }
    guard list.names.count == 1 else {
      throw fault(.configuration, "has several layers: \(shown). Name one with 'layer'")
    }
    return only
  }

  /// Returns the name of the table, which feature keys contain: the layer's name if it is plain
  /// and not reserved by GeoPackages, otherwise `records`.
  private static func table(_ layer: String?) -> String {
    guard let layer, layer.count <= 128, layer.wholeMatch(of: /\w[\w .:-]*/) != nil,
      !["gpkg_", "sqlite_", "rtree_"].contains(where: layer.lowercased().hasPrefix)
    else { return "records" }
    return layer
  }

  /// Returns the query for the rows of a table with points made of two of their columns.
  private static func query(_ point: VectorSelection.Point, from layer: String) -> String {
    let numbers = [point.x, point.y].map { "CAST(\(Self.decimal($0.quotedName)) AS DOUBLE)" }
    // SQLite makes 0 of a text or a missing value; neither is a position.
    let isPlace = [point.x, point.y].map { "CAST(\($0.quotedName) AS TEXT) GLOB '*[0-9]*'" }
    return "SELECT *, CASE WHEN \(isPlace.joined(separator: " AND ")) "
      + "THEN MakePoint(\(numbers.joined(separator: ", "))) END AS quadrille_geometry "
      + "FROM \(layer.quotedName)"
  }

  /// Returns the value of a column with a decimal point: in `1.234,5` the comma is the decimal
  /// mark.
  private static func decimal(_ column: String) -> String {
    "CASE WHEN instr(\(column), ',') > 0 THEN replace(replace(\(column), '.', ''), ',', '.') "
      + "ELSE \(column) END"
  }

  private func arguments(
    _ input: String, layer: String?, isKeyed: Bool, hasStyles: Bool
  ) -> [String] {
    var arguments = [
      "-f", "GPKG", Self.output, input, "-t_srs", "EPSG:4326", "-dim", "XY", "-nlt", "GEOMETRY",
      "-nlt", "CONVERT_TO_LINEAR", "-nln", Self.table(layer), "-nomd", "-lco", "SPATIAL_INDEX=NO",
      "-lco", "GEOMETRY_NAME=quadrille_geometry", "-dsco", "ADD_GPKG_OGR_CONTENTS=NO",
    ]
    if let encoding = selection.encoding { arguments += ["-oo", "ENCODING=\(encoding)"] }
    if !isKeyed { arguments += ["-lco", "FID=\(Self.key)"] }
    let system = selection.system ?? (selection.point == nil ? nil : "EPSG:4326")
    if let system { arguments += ["-s_srs", system] }
    if let sql = selection.sql {
      arguments += ["-sql", sql]
    } else if let point = selection.point {
      arguments += ["-dialect", "SQLITE", "-sql", Self.query(point, from: layer ?? "")]
    } else if hasStyles, let layer {
      arguments += ["--config", "LIBKML_RESOLVE_STYLE", "YES"]
      arguments += ["-dialect", "SQLITE", "-sql", StyleColumns.query(from: layer)]
    } else if let layer {
      arguments.append(layer)
    }
    return arguments
  }
}
