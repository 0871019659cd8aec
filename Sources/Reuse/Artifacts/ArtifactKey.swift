import Files
import Foundation
import Hashing

/// The name of an artifact: a hash of everything that determines its content, so that equal names
/// mean equal artifacts, and an artifact never changes under its name.
package struct ArtifactKey: Hashable, Sendable {
  let kind: ArtifactKind

  /// SHA-256 of the parts, 64 lower-case hexadecimal digits.
  let hexadecimal: String

  /// The program that makes the artifact; keys that derive from this one have the same.
  package let program: String?

  /// Hashes the parts with their lengths, so that different lists of parts never give the same
  /// input.
  ///
  /// - Parameters:
  ///   - parts: the inputs that determine the content, in a fixed order.
  ///   - program: the program that makes the artifact, see ``ProgramIdentity/text``.
  package init(kind: ArtifactKind, _ parts: [String], program: String? = ProgramIdentity.text) {
    self.kind = kind
    self.program = program
    var hash = SHA256()
    for part in [kind.rawValue, "\(ArtifactHeader.formatVersion)", program ?? ""] + parts {
      hash.update(data: Data("\(part.utf8.count):\(part)".utf8))
    }
    hexadecimal = Hexadecimal.text(hash.finalize())
  }

  /// The name of its file in the cache folder.
  package var fileName: String { "\(kind.rawValue)-\(hexadecimal)\(Self.suffix)" }

  static let suffix = ".artifact"

  /// Whether a file of the cache folder has the name of an artifact.
  static func isFileName(_ name: String) -> Bool {
    guard name.hasSuffix(suffix), let dash = name.firstIndex(of: "-"),
      ArtifactKind(rawValue: String(name[..<dash])) != nil
    else { return false }
    let digits = name[name.index(after: dash)...].dropLast(suffix.count).utf8
    return digits.count == 64
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

/// The kind of an artifact's content; the raw value is the prefix of its file's name.
package enum ArtifactKind: String, CaseIterable, Hashable, Sendable {
  /// The records of a source as columns, with their ledger.
  case records
  /// The clusters of a source at every zoom.
  case clusters
  /// The positions of labels in the polygons of a source.
  case poles
  /// The rows of an archive that is planned.
  case rows
  /// The palette and codes of the sparse tiles of an archive.
  case palette
  /// The scenes of the tiles of an archive.
  case scenes
  /// The scenes of blocks of vector tiles at a zoom, and the symbols that look for room there.
  case blocks
  /// The inputs of an archive's compact taps.
  case taps
  /// Tiles that a run painted before it ended early.
  case painted
  /// The progress of the runs of an archive that their time limit stopped.
  case progress
  /// Digests of input files, or of the program's, by their size, time and inode.
  case inputs
  /// The inputs of the last published archives.
  case published
  /// The places of a file's records, on the map and in the file.
  case places
  /// The identifiers and contents of an archive's clusters.
  case clusterStates
}
