package import Fetching
package import GDAL
import Ingest
package import SystemPackage

/// Records of a file that GDAL converts when they are first read.
package struct ConvertedData: DataOrigin {
  package let conversion: VectorConversion

  /// The data in its own format.
  private let base: any DataOrigin

  package init(_ conversion: VectorConversion, of base: any DataOrigin) {
    self.conversion = conversion
    self.base = base
  }

  package var name: String { base.name }

  /// The files of the data with their companions, and the program, since another version may read
  /// them differently.
  package var files: [InputFile] { InputFile.convertedFiles(of: base.files) }

  /// Cached even for small files: reading one starts three programs.
  package var digestParts: [DigestPart]? { InputFile.convertedParts(base.digestParts, files) }

  package var storedBytes: Int? { nil }
  package var fetched: [FetchedFile] { base.fetched }
  package var storedFile: FilePath? { base.storedFile }

  package func content() throws -> DataContent {
    .whole(.file(try conversion.content().path, name: conversion.name))
  }
}

/// Records of a database, which GDAL asks anew in each run.
package struct DatabaseData: DataOrigin {
  package let conversion: VectorConversion

  package init(_ conversion: VectorConversion) { self.conversion = conversion }

  package var name: String { conversion.name }

  package var files: [InputFile] {
    let content = conversion.known.map { InputFile(.data, name: name, sha256: $0.sha256) }
    return [content].compactMap(\.self) + InputFile.program(.ogr2ogr)
  }

  package var digestParts: [DigestPart]? {
    guard let content = conversion.known else { return nil }
    return [.text("database"), .text(content.sha256)]
      + InputFile.program(.ogr2ogr).flatMap(\.digestParts)
  }

  package var storedBytes: Int? { nil }

  package func content() throws -> DataContent {
    .whole(.file(try conversion.content().path, name: conversion.name))
  }
}

extension InputFile {
  /// Returns a program as an input; nothing where it is not installed.
  static func program(_ program: GDALProgram) -> [InputFile] {
    program.path.map { [InputFile(.program, path: $0.string)] } ?? []
  }

  /// Returns files of formats that GDAL converts, with those that belong to them, each once, and the
  /// program.
  static func convertedFiles(of files: [InputFile]) -> [InputFile] {
    var known: Set<String> = []
    return files.flatMap { file -> [InputFile] in
      guard let path = file.path else { return [file] }
      return GeodataFile(path).files.filter { known.insert($0).inserted }
        .map { InputFile(.data, path: $0) }
    } + program(.ogr2ogr)
  }

  /// Returns the parts of a key of converted records: those of the data, and each of its files.
  static func convertedParts(_ parts: [DigestPart]?, _ files: [InputFile]) -> [DigestPart] {
    (parts ?? []) + files.flatMap(\.digestParts)
  }

  /// The name and the digest of a file on this machine; nothing for another.
  fileprivate var digestParts: [DigestPart] { path.map { [.text(name), .file($0)] } ?? [] }
}
