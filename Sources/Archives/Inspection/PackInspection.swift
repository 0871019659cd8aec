import Definition
import Features
import Reports
package import Runs
import SystemPackage

/// The inspection of a list of packs by `inspect` and `verify`.
package struct PackInspection {
  private let path: FilePath
  private let file: UpdateFile
  private let list: PackList

  /// Whether a path names a list of packs rather than an archive.
  package static func isList(_ path: String) -> Bool { path.hasSuffix(".packs.json") }

  package init(_ path: String) throws(PipelineError) {
    self.path = FilePath(path)
    // Says what is wrong with a file that cannot be read.
    _ = try DocumentFile.bytes(of: path, limit: UpdateFile.limit)
    guard let file = UpdateFile(contentsOf: self.path), let list = PackList(file.list) else {
      throw PipelineError(
        .badData, "this is not a list of packs, or a damaged one; 'build' writes it again.",
        at: .init(file: path))
    }
    (self.file, self.list) = (file, list)
  }

  /// Describes the list, with a line for each pack.
  package func text() -> String {
    let signers = file.signatures.map(\.key)
    let head = ReportTable(
      [
        ["archive", list.archive], ["number", "\(list.sequence)"],
        ["signed by", signers.isEmpty ? "nobody" : signers.joined(separator: ", ")],
        ["tiles in no pack", "\(list.outside)"],
      ], text: [0, 1])
    var packs = ReportTable([["pack", "file", "zooms", "tiles", "bytes"]], text: [0, 1, 2])
    for entry in list.all {
      packs.rows.append([
        entry.name.withoutControls, entry.file,
        "\(entry.zooms.lowerBound)–\(entry.zooms.upperBound)",
        ReportNumber.count(entry.tiles), ReportNumber.count(entry.bytes),
      ])
    }
    return ["\(path): \(list.all.count) packs", head.text, packs.text].joined(separator: "\n\n")
  }

  /// Verifies the signatures by the keys in the list, the SHA-256 of every pack, and each pack.
  ///
  /// - Complexity: O(bytes of all packs).
  package func verify(_ cancellation: Cancellation) throws(PipelineError) -> VerificationSummary {
    var summary = VerificationSummary(conclusion: "")
    if !file.isSigned(by: list.keys) {
      summary.faults.append("the signatures are not those of the keys in the list")
    }
    for entry in list.all {
      try summary.verify(
        entry.file, sha256: entry.sha256, of: "list", in: path.removingLastComponent(),
        cancellation)
    }
    summary.concludeArchives(list.all.count)
    return summary
  }
}
