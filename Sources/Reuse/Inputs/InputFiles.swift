package import Definition
import Fetching
import Foundation
import GDAL
import SystemPackage
import Unpacking

/// A file that determines the content of an archive, before it is hashed.
package struct InputFile: Hashable, Sendable {
  /// The purpose of the file.
  package let role: Provenance.Role

  /// The path; `nil` for a file whose digest is known.
  package let path: String?

  /// The name in the archive: without folders, and without the parts of an address that may be
  /// secret; values of variables are still in it.
  package let name: String

  /// The digest of a content-addressed file.
  package let sha256: String?

  /// Creates the entry of a file on this machine.
  package init(_ role: Provenance.Role, path: String) {
    self.role = role
    self.path = path
    name = FilePath(path).lastComponent?.string ?? path
    sha256 = nil
  }

  /// Creates the entry of a fetched file.
  init(_ file: FetchedFile, role: Provenance.Role = .data) {
    self.role = role
    path = nil
    // The part behind ? may be long, and may contain undeclared secrets.
    name = String(file.uri.prefix { $0 != "?" && $0 != "#" })
    sha256 = file.sha256
  }

  /// Creates the entry of the records of a database.
  init(_ content: VectorConversion.Content, name: String) {
    role = .data
    path = nil
    self.name = name
    sha256 = content.sha256
  }

  /// Creates the entry of standard input.
  init(_ input: SpooledInput) {
    role = .data
    path = nil
    name = SpooledInput.name
    sha256 = input.sha256
  }
}

extension SpriteDefinition {
  /// The files of the sprite.
  package var inputFiles: [InputFile] {
    parts.compactMap { part in
      switch part.location {
      case .file(let path): InputFile(.sprite, path: path)
      case .fetched(let files): files.first.map { InputFile($0, role: .sprite) }
      case .url, .patterns, .parts, .inline, .standardInput, .connection, .none: nil
      }
    }
  }
}

extension SourceDefinition {
  /// The files of the source: its data, its world file, the files that change its records.
  package var inputFiles: [InputFile] {
    var files: [InputFile] = []
    switch data {
    case .fetched(let fetched):
      files += fetched.map { InputFile($0) } + converters
      // A named world file is on this machine and not beside the fetched image.
      if let worldFile = fetched.first.flatMap({ worldFile(of: $0.path.string) }) {
        files.append(InputFile(.worldFile, path: worldFile))
      }
    case .file where records?.format is OGRSource, .parts where records?.format is OGRSource:
      files += convertedFiles
    case .file where isWarped:
      files += warpedFiles.map { InputFile(.data, path: $0) } + converters
    case .file(let path):
      files.append(InputFile(.data, path: path))
      if let worldFile = worldFile(of: path) {
        files.append(InputFile(.worldFile, path: worldFile))
      }
    case .parts(let parts):
      var known: Set<String> = []
      for part in parts where known.insert(part.path).inserted {
        files.append(InputFile(.data, path: part.path))
      }
    case .standardInput(let input?): files.append(InputFile(input))
    case .connection:
      if let content = converted?.known {
        files.append(InputFile(content, name: converted?.name ?? name))
      }
      files += converters
    case .patterns, .inline, .url, .standardInput, .none: break
    }
    return files + (records?.changes.files ?? []).map { InputFile(.change, path: $0) }
  }

  /// The program that converts the data: another one may read it differently.
  var converters: [InputFile] {
    let converter: GDALProgram
    if records?.format is OGRSource {
      converter = .ogr2ogr
    } else if isWarped {
      converter = .gdalwarp
    } else {
      return []
    }
    guard let program = converter.path else { return [] }
    return [InputFile(.program, path: program.string)]
  }

  /// The files that are converted, those that belong to them, and the program.
  package var convertedFiles: [InputFile] {
    let paths: [String]
    switch data {
    case .file(let path): paths = [path]
    case .parts(let parts): paths = parts.map(\.path)
    default: return []
    }
    var known: Set<String> = []
    let files = paths.flatMap { GeodataFile($0).files }.filter { known.insert($0).inserted }
    return files.map { InputFile(.data, path: $0) } + converters
  }

  /// Returns the world file of the image: the one that is named, otherwise one beside the image;
  /// `nil` without one, and where the pipeline itself gives the image's position.
  package func worldFile(of path: String) -> String? {
    guard let image else { return nil }
    if image.position != nil { return image.worldFile }
    let ending = packed?.format.ending ?? ""
    let path = path.lowercased().hasSuffix(ending) ? String(path.dropLast(ending.count)) : path
    return Self.worldFile(beside: path)
  }

  /// Returns the world file that lies beside an image; `nil` without one.
  package static func worldFile(beside path: String) -> String? {
    worldFiles(beside: path).first { FileManager.default.fileExists(atPath: $0) }
  }

  /// Returns the names that a world file may have, in GDAL's search order: for `rain.png`
  /// `rain.pgw`, `rain.pngw` and `rain.wld`, for `RAIN.PNG` first `RAIN.PGW`, `RAIN.PNGW` and
  /// `RAIN.WLD`.
  package static func worldFiles(beside path: String) -> [String] {
    let url = NSString(string: path)
    let (stem, suffix) = (url.deletingPathExtension, url.pathExtension)
    let short = [suffix.first, suffix.last].compactMap { $0.map(String.init) }.joined()
    var names = suffix.isEmpty ? ["wld"] : ["\(short)w", "\(suffix)w", "wld"]
    if suffix != suffix.lowercased(), suffix == suffix.uppercased() {
      names = names.map { $0.uppercased() } + names + names.map { $0.lowercased() }
    }
    return names.map { "\(stem).\($0)" }
  }
}
