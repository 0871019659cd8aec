import Definition
import Foundation
import SystemPackage
import Unpacking

extension ResolvedSource {
  /// The world file of the image: the one that is named, otherwise one beside the image; `nil`
  /// without one, and where the pipeline itself gives the image's position.
  var worldFile: String? {
    guard let image, let path = origin.storedFile?.string else { return nil }
    if image.position != nil { return image.worldFile }
    let ending = packed?.format.ending ?? ""
    return WorldFiles.first(
      beside: path.lowercased().hasSuffix(ending) ? String(path.dropLast(ending.count)) : path)
  }
}

/// The names of world files.
package enum WorldFiles {
  /// Returns the world file that lies beside an image; `nil` without one.
  package static func first(beside path: String) -> String? {
    names(beside: path).first { FileManager.default.fileExists(atPath: $0) }
  }

  /// Returns the names that a world file may have, in GDAL's search order: for `rain.png`
  /// `rain.pgw`, `rain.pngw` and `rain.wld`, for `RAIN.PNG` first `RAIN.PGW`, `RAIN.PNGW` and
  /// `RAIN.WLD`.
  package static func names(beside path: String) -> [String] {
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
