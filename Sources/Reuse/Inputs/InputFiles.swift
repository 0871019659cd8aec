package import Definition
import Fetching
import Foundation
import SystemPackage

/// A file that decides what an archive holds, before it is hashed.
package struct InputFile: Hashable, Sendable {
  /// What it is for.
  package let role: Provenance.Role

  /// Where it is; `nil` for one whose digest is known.
  package let path: String?

  /// As the archive names it: without folders, and without what may be secret in an address; values
  /// of variables are still in it.
  package let name: String

  /// The digest of what is content-addressed.
  package let sha256: String?

  /// A file on this machine.
  package init(_ role: Provenance.Role, path: String) {
    self.role = role
    self.path = path
    name = FilePath(path).lastComponent?.string ?? path
    sha256 = nil
  }

  /// A file that was fetched.
  init(_ file: FetchedFile) {
    role = .data
    path = nil
    // What stands behind ? may be long, and secret in ways that nobody declared.
    name = String(file.uri.prefix { $0 != "?" && $0 != "#" })
    sha256 = file.sha256
  }
}

extension SourceDefinition {
  /// The files of the source: its data, what places it, what changes its records.
  package var inputFiles: [InputFile] {
    var files: [InputFile] = []
    switch data {
    case .fetched(let fetched):
      files += fetched.map { InputFile($0) }
      // One that is named lies here and not beside what was fetched.
      if let worldFile = fetched.first.flatMap({ worldFile(of: $0.path.string) }) {
        files.append(InputFile(.worldFile, path: worldFile))
      }
    case .file(let path):
      files.append(InputFile(.data, path: path))
      if let worldFile = worldFile(of: path) {
        files.append(InputFile(.worldFile, path: worldFile))
      }
    case .inline, .url, .none: break
    }
    return files + records.changes.files.map { InputFile(.change, path: $0) }
  }

  /// The world file that places the image: the one that is named, else one beside the image; `nil`
  /// without one, and where the pipeline says itself where the image lies.
  package func worldFile(of path: String) -> String? {
    guard let image, image.coordinates == nil, image.bounds == nil else { return nil }
    if let named = image.worldFile { return named }
    return Self.worldFiles(beside: path).first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The names that a world file may have, as GDAL looks for them: for `rain.png` `rain.pgw`,
  /// `rain.pngw` and `rain.wld`, for `RAIN.PNG` first `RAIN.PGW`, `RAIN.PNGW` and `RAIN.WLD`.
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
