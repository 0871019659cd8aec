import Definition
import Files
import Foundation
import Hashing

/// The names of the files of packs, which follow from the names of the archive and of the regions
/// alone: `world-cote-d-ivoire.mbtiles` for `world.mbtiles`.
///
/// They hold lower-case ASCII letters, digits and hyphens after the archive's own name, so that every
/// file system, server and viewer accepts them, and differ also where letter case does not count.
package struct PackNames {
  /// The archive's file name or path at density 1.
  let archive: String

  /// The pixel density.
  let scale: Int

  /// The word of the shared pack.
  private static let sharedWord = "shared"

  /// The maximum number of bytes of a word.
  private static let limit = 64

  package init(archive: String, scale: Int) {
    self.archive = archive
    self.scale = scale
  }

  /// The path of the shared pack.
  package var shared: String { path(Self.sharedWord) }

  /// Returns the path of the pack of each region.
  ///
  /// A name gets digits of its hash if nothing is left of it, if it is too long, or if another one
  /// would have the same file.
  ///
  /// - Parameter names: the names of the regions, all different.
  package func paths(ofRegions names: [String]) -> [String] {
    let words = names.map(Self.word)
    var counts = [Self.sharedWord: 1]
    for word in words { counts[word, default: 0] += 1 }
    return zip(names, words).map { name, word in
      let isOwn = !word.isEmpty && word.utf8.count <= Self.limit && counts[word] == 1
      if isOwn { return path(word) }
      let hash = Hexadecimal.text(SHA256.hash(data: Array(name.utf8))).prefix(12)
      return path("\(word.isEmpty ? "region" : String(word.prefix(Self.limit)))-\(hash)")
    }
  }

  private func path(_ word: String) -> String {
    let stem = OutputDefinition.stem(of: archive)
    let density = scale == 1 ? "" : "@\(scale)x"
    return "\(stem)-\(word)\(density)\(archive.dropFirst(stem.count))"
  }

  /// Returns a name without accents, in lower case, with a hyphen for each run of other characters.
  static func word(_ name: String) -> String {
    let letters = name.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
      $0.properties.canonicalCombiningClass == .notReordered
    }
    return letters.split {
      !$0.isASCII || !($0.properties.isAlphabetic || ("0"..."9").contains($0))
    }
    .map { String($0).lowercased() }.joined(separator: "-")
  }
}
