package import Runs
import Definition
import Files
import Foundation
import Ingest
import SystemPackage
import Unpacking

/// A file or folder of data that a user names instead of a pipeline.
package struct DataFile: Hashable, Sendable {
  /// The reader that a file is for.
  package enum Kind: Hashable, Sendable {
    /// Records of a type of `SourceRegistry`; the reader's examination corrects a wrong one.
    case records(String)
    /// Records in one or more layers, for the type `ogr`.
    case layers
    /// An SQLite database, probably a GeoPackage.
    case database
    case image
    case folder
  }

  /// The path or url as the user entered it, with the member of a zip file: `a.zip/points.csv`.
  package let path: String

  package let kind: Kind

  /// Whether the data is packed, or a member of a zip file.
  let isPacked: Bool

  /// Whether it is one of several members of a zip file.
  var isOneOfSeveral = false

  private init(path: String, kind: Kind, isPacked: Bool) {
    self.path = path
    self.kind = kind
    self.isPacked = isPacked
  }

  /// Recognizes a file by its first bytes; text, packed and remote data by its name.
  ///
  /// - Throws: ``PipelineError`` `missingInput` where there is no such file.
  package init(_ path: String) throws(PipelineError) {
    self.path = path
    guard !DataLocation.isAddress(path) else {
      kind = Self.kind(ofName: Self.name(ofURL: path)) ?? .records("csv")
      isPacked = false
      return
    }
    guard path != DataLocation.standardInputKey else {
      kind = .records("csv")
      isPacked = false
      return
    }
    guard let status = FileStatus(FilePath(path)) else {
      guard let (zip, member) = MemberName.split(path), FileStatus(FilePath(zip)) != nil else {
        throw PipelineError(
          .missingInput, "no such file. Check the path.", at: DocumentPlace(file: path))
      }
      kind = Self.kind(ofName: member) ?? .records("csv")
      isPacked = true
      return
    }
    guard status.kind != .folder else {
      kind = .folder
      isPacked = false
      return
    }
    let head = SourceInput.file(FilePath(path), name: path).head()
    isPacked = PackedFormat(head) != nil
    guard !isPacked else {
      kind = Self.kind(ofName: path) ?? .records("csv")
      return
    }
    switch FileSignature(head) {
    case .png, .jpeg, .webp: kind = .image
    case let signature? where signature.isWarped: kind = .image
    case let signature? where signature.isConverted: kind = .layers
    // A mosaic of GDAL.
    case nil where head.prefix(512).contains("<VRTDataset".utf8): kind = .image
    case .sqlite: kind = .database
    default:
      kind =
        Self.isConverted(path, head) ? .layers : Self.kind(ofName: path) ?? .records("csv")
    }
  }

  /// Returns the data at a path: the file, the sheets of a spreadsheet, or the members of a zip file
  /// that can be drawn; GDAL lists the layers of a zip file with shapefiles.
  ///
  /// - Parameter sheet: the sheet that is wanted; `nil` for all that are shown.
  /// - Throws: ``PipelineError`` for a file that is missing.
  static func files(at path: String, sheet: String? = nil) throws(PipelineError) -> [DataFile] {
    let file = try DataFile(path)
    if file.kind == .folder, let files = try? folderFiles(in: path) { return files }
    guard file.isPacked, FileStatus(FilePath(path)) != nil,
      PackedFormat(SourceInput.file(FilePath(path), name: path).head()) == .zip
    else { return [file] }
    if let sheets = try sheets(of: path) {
      return sheet.map { [DataFile(path: "\(path)/\($0)", kind: .records("csv"), isPacked: true)] }
        ?? several(
          sheets.map { DataFile(path: "\(path)/\($0)", kind: .records("csv"), isPacked: true) })
        ?? [file]
    }
    // What is wrong with it, its reader says.
    let names = (try? ZipContents.names(of: FilePath(path), name: path)) ?? []
    if let name = names.first(where: ZipContents.leadsOut) {
      throw PipelineError(
        .badData,
        "holds '\(name)' (zip), whose name leads out of the folder. Rename it, or unpack the file.",
        at: DocumentPlace(file: path))
    }
    let isLayered = names.contains { $0.lowercased().hasSuffix(".shp") }
    // The KML in a KMZ file names its images itself.
    if isLayered || path.lowercased().hasSuffix(".kmz") {
      return [DataFile(path: path, kind: .layers, isPacked: true)]
    }
    if let places = ZipContents.transitPlaces(among: names) {
      return places.map { DataFile(path: "\(path)/\($0)", kind: .records("csv"), isPacked: true) }
    }
    let parts = mapInfoParts(among: names)
    let known = names.filter { parts[$0] ?? (kind(ofName: $0) != nil) }
    let members = ZipContents.data(among: known, named: \.self).compactMap { name in
      (parts[name] == true ? .layers : kind(ofName: name)).map {
        DataFile(path: "\(path)/\(name)", kind: $0, isPacked: true)
      }
    }
    return several(members.sorted { $0.path < $1.path }) ?? (members.isEmpty ? [file] : members)
  }

  /// Returns the data in a folder: the places of a public transport feed, or all files of records where
  /// there are no images; `nil` for other folders.
  private static func folderFiles(in path: String) throws(PipelineError) -> [DataFile]? {
    let names = FolderListing.inputNames(in: FilePath(path)).sorted()
    let files = names.compactMap { try? DataFile(FilePath(path).appending($0).string) }
    if let places = ZipContents.transitPlaces(among: names) {
      return places.map {
        DataFile(
          path: FilePath(path).appending($0).string, kind: .records(CSVSource.type), isPacked: false
        )
      }
    }
    let known = files.filter { file in
      file.kind != .folder && kind(ofName: file.path) != nil
    }
    guard !known.isEmpty, !known.contains(where: { $0.kind == .image }) else { return nil }
    let data = ZipContents.data(among: known, named: \.path)
    return several(data) ?? data
  }

  /// Returns files of which some may hold no places; `nil` for less than two.
  private static func several(_ files: [DataFile]) -> [DataFile]? {
    guard files.count > 1 else { return nil }
    return files.map { file in
      var file = file
      file.isOneOfSeveral = true
      return file
    }
  }

  /// Returns the sheets that a spreadsheet shows; `nil` for another file.
  private static func sheets(of path: String) throws(PipelineError) -> [String]? {
    try PipelineError.wrapping {
      try ZipContents.sheets(
        of: FilePath(path), name: path,
        PackedInput.Surroundings(folder: FilePath(FileManager.default.temporaryDirectory.path)))
    }
  }

  /// Returns the members that are MapInfo files: whether each stands for the others of its name.
  private static func mapInfoParts(among names: [String]) -> [String: Bool] {
    var parts: [String: Bool] = [:]
    let files = Dictionary(grouping: names) { name in
      name.lowercased().split(separator: ".").dropLast().joined(separator: ".")
    }
    for group in files.values {
      func named(_ ending: String) -> String? {
        group.first { FilePath($0).extension?.lowercased() == ending }
      }
      let table = named("dat") != nil || named("map") != nil ? named("tab") : nil
      guard let head = table ?? (named("mid") != nil ? named("mif") : nil) else { continue }
      for name in group
      where ["tab", "dat", "map", "id", "ind", "mif", "mid"].compactMap(named)
        .contains(name)
      {
        parts[name] = name == head
      }
    }
    return parts
  }

  /// The name of the data without its endings: `stores` for `data/stores.csv.gz`.
  var stem: String { Self.stem(of: path) }

  /// Returns the name of data without its endings.
  static func stem(of path: String) -> String {
    let name = unpackedName(of: DataLocation.isAddress(path) ? Self.name(ofURL: path) : path)
    return FilePath(name).lexicallyNormalized().stem ?? "data"
  }

  /// Whether a path names data rather than a pipeline or an archive, so that a pipeline is missing.
  package static func isData(_ path: String) -> Bool {
    let name = path.lowercased()
    guard !DataLocation.isAddress(path), !name.hasSuffix(".mbtiles"), !name.hasSuffix(".pmtiles"),
      !name.hasSuffix(".yml"), !name.hasSuffix(".yaml"), !name.hasSuffix(".scfg"),
      let file = try? DataFile(path)
    else { return false }
    switch file.kind {
    case .database, .image, .layers: return true
    case .folder: return false
    case .records:
      if file.isPacked { return true }
      if name.hasSuffix(".json") { return holdsFeatures(path) }
      // Text in a file of this name may be a pipeline.
      return !name.hasSuffix(".txt") && type(ofName: path) != nil
    }
  }

  /// Returns the error for data where a pipeline is needed.
  ///
  /// - Parameter path: the data.
  package static func refusal(of path: String) -> PipelineError {
    PipelineError(
      .definition,
      "this is data, not a pipeline. Draft one with: quadrille new \(path); or look at the data with: "
        + "quadrille preview \(path)", at: DocumentPlace(file: path))
  }

  // MARK: Names

  /// Returns the name of a file without the ending of a packed one: `stores.csv` for
  /// `stores.csv.gz`.
  static func unpackedName(of path: String) -> String {
    let endings = PackedFormat.allCases.compactMap(\.ending) + [".zip"]
    let ending = endings.first { path.lowercased().hasSuffix($0) }
    return String(path.dropLast(ending?.count ?? 0))
  }

  /// Returns the last step of a url's path, or the zip file's member that its fragment names.
  private static func name(ofURL url: String) -> String {
    let parts = url.split(separator: "#", maxSplits: 1)
    if parts.count == 2 { return String(parts[1]) }
    let path = parts.first?.prefix { $0 != "?" } ?? ""
    return path.split(separator: "/").dropFirst(2).last.map(String.init) ?? ""
  }

  /// Returns the reader for a file's ending, before the ending of its packing if it has one; `nil`
  /// for endings that say nothing.
  private static func kind(ofName path: String) -> Kind? {
    let name = unpackedName(of: path.lowercased())
    switch FilePath(name).extension {
    case "gpkg": return .database
    case "png", "jpg", "jpeg", "webp": return .image
    // Grids whose first bytes are those of their pixels.
    case "hgt", "dt0", "dt1", "dt2": return .image
    case "kml", "gpx", "gml", "fgb", "dbf": return .layers
    default: return type(ofName: name).map(Kind.records)
    }
  }

  /// The source type for a file's ending; `nil` for endings that say nothing.
  private static func type(ofName path: String) -> String? {
    switch FilePath(path).extension?.lowercased() {
    case "csv", "tsv", "tab", "txt", "dat": "csv"
    case "geojson", "json": "geojson"
    case "geojsonl", "geojsons", "geojsonseq", "ndjson", "jsonl", "ndgeojson": "geojsonseq"
    default: nil
    }
  }

  /// Whether a text is of a format that GDAL reads: by its name, and by its beginning where the name
  /// has another meaning.
  private static func isConverted(_ path: String, _ head: [UInt8]) -> Bool {
    func holds(_ text: String) -> Bool { head.contains(text.utf8) }
    let isMarkup = head.prefix(64).first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
    if isMarkup, ["<gpx", "<kml", ":FeatureCollection", "<osm"].contains(where: holds) {
      return true
    }
    return switch FilePath(path).extension?.lowercased() {
    case "kml", "gpx", "gml", "topojson", "mif", "dbf": true
    case "pbf": true
    case "tab": head.starts(with: "!table".utf8) || head.starts(with: "!Table".utf8)
    case "geojson", "geojsonl", "ndjson": false
    default: holds("OSMHeader") || holds("\"Topology\"")
    }
  }

  /// Whether a JSON file is GeoJSON, judging by its beginning; a style or pipeline may have some
  /// inside a source.
  private static func holdsFeatures(_ path: String) -> Bool {
    let head = SourceInput.file(FilePath(path), name: path).head(64 << 10)
    func holds(_ text: String) -> Bool { head.contains("\"\(text)\"".utf8) }
    return (holds("FeatureCollection") || holds("Feature"))
      && !holds("sources") && !holds("stores")
  }
}
