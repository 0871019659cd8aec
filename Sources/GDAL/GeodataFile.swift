import Features
import Files
import Foundation
import SystemPackage

/// A file of a format that GDAL reads, with the files beside it that belong to it, such as those
/// of a shapefile.
package struct GeodataFile: Hashable, Sendable {
  package let path: String

  /// The endings of the files beside a file of an ending, in lower case.
  private static let companions: [String: Set<String>] = [
    "shp": ["dbf", "shx", "prj", "cpg"],
    "tab": ["dat", "map", "id", "ind"],
    "mif": ["mid"],
    "dbf": ["cpg"],
    "gml": ["xsd", "gfs", "prj"],
  ]

  package init(_ path: String) { self.path = path }

  /// The file, then the files that belong to it, sorted by name. Only these are read.
  package var files: [String] {
    let file = FilePath(path)
    guard let wanted = Self.companions[file.extension?.lowercased() ?? ""], let stem = file.stem
    else { return [path] }
    let folder = file.removingLastComponent()
    let beside = FolderListing.inputNames(in: folder.isEmpty ? "." : folder).sorted().filter {
      name in
      let other = FilePath(name)
      return other.stem == stem && wanted.contains(other.extension?.lowercased() ?? "")
    }
    return [path] + beside.map { folder.appending($0).string }
  }

  /// Links the files into a folder.
  ///
  /// - Parameter name: the name of the file if its path does not have it, as for a cached copy.
  /// - Returns: the name of the file there.
  func link(into folder: WorkFolder, as name: String? = nil) throws(SourceError) -> String {
    for file in files.dropFirst() {
      try folder.link(file, as: FilePath(file).lastComponent?.string ?? file)
    }
    let own = (name ?? FilePath(path).lastComponent?.string ?? "data")
      .replacing(/[{}\/\\\u{0}-\u{1F}]/, with: "_")
    try folder.link(path, as: own)
    return own
  }

  // MARK: Shapefiles

  /// Refuses a shapefile whose three files do not agree. GDAL would read the parts that exist and
  /// report nothing, so records would be lost.
  ///
  /// - Throws: ``SourceError`` `missing` and `badData`.
  func checkShapefile(named name: String) throws(SourceError) {
    guard FilePath(path).extension?.lowercased() == "shp" else { return }
    func companion(_ ending: String) -> String? {
      files.dropFirst().first { FilePath($0).extension?.lowercased() == ending }
    }
    func fault(_ message: String, _ code: SourceError.Code = .badData) -> SourceError {
      SourceError(code: code, file: name, message: message)
    }
    guard let index = companion("shx") else {
      throw fault(
        "has no .shx beside it, the index without which a shapefile is not read", .missing)
    }
    guard let table = companion("dbf") else { return }
    let head = FileHead.bytes(of: FilePath(table), 32)
    guard head.count == 32, let indexBytes = FileStatus(FilePath(index))?.size,
      let tableBytes = FileStatus(FilePath(table))?.size
    else { throw fault("has a .dbf or .shx beside it that cannot be read or is too short") }
    func number(_ range: Range<Int>) -> Int {
      head[range].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let (rows, headBytes, rowBytes) = (number(4..<8), number(8..<10), number(10..<12))
    guard tableBytes >= headBytes + rows * rowBytes else {
      throw fault("has a .dbf beside it that ends before its \(rows) records do; copy it again")
    }
    let shapes = max(0, indexBytes - 100) / 8
    guard indexBytes >= 100, (indexBytes - 100) % 8 == 0, shapes == rows else {
      throw fault(
        "has an .shx for \(shapes) shapes and a .dbf of \(rows) records beside it; they do not belong "
          + "together")
    }
  }
}
