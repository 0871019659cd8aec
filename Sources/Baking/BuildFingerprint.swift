package import Definition
import MBTiles
package import Reuse
package import Runs

/// What decides an archive's bytes, as one hash: the program, the pipeline file, the options and
/// the contents of every input. Equal fingerprints make equal archives.
package struct BuildFingerprint: Hashable, Sendable {
  /// The metadata key under which an archive keeps it.
  package static let key = "\(ArchiveMetadata.prefix)inputs"

  /// 64 hexadecimal digits.
  package let text: String

  /// What was hashed, one by one.
  package let provenance: Provenance

  /// Hashes everything.
  ///
  /// - Parameters:
  ///   - fonts: the font files that the style uses.
  ///   - inputs: what hashes the files, each once in a run.
  /// - Complexity: O(bytes of the inputs), at 1 to 2 GB/s a core.
  package init(
    _ definition: PipelineDefinition, scale: Int, fonts: [String],
    inputs: InputDigests = InputDigests()
  ) throws(PipelineError) {
    let sources = definition.sources.map { (name: $0.name, files: $0.inputFiles) }
    let fonts = fonts.map { InputFile(.font, path: $0) }
    try inputs.prepare((sources.flatMap(\.files) + fonts).compactMap(\.path))
    func hashed(_ files: [InputFile]) throws(PipelineError) -> [Provenance.File] {
      var hashed: [Provenance.File] = []
      for file in files {
        let digest = try file.path.map { path throws(PipelineError) in
          try inputs.sha256(of: path)
        }
        hashed.append(
          Provenance.File(
            role: file.role, name: definition.redactions.redact(file.name),
            sha256: digest ?? file.sha256 ?? ""))
      }
      return hashed
    }
    var provenance = Provenance(
      program: try ProgramIdentity.sha256(), options: definition.optionsDigest(scale: scale),
      sources: [],
      // By name: where fonts lie differs from machine to machine.
      fonts: try hashed(fonts).sorted { ($0.name, $0.sha256) < ($1.name, $1.sha256) })
    for source in sources {
      provenance.sources.append(
        Provenance.Source(name: source.name, files: try hashed(source.files)))
    }
    self.init(provenance)
  }

  /// The hash of a provenance and of what is not told in it.
  package init(_ provenance: Provenance, _ more: [String] = []) {
    self.provenance = provenance
    text = Provenance.digest(of: provenance.lines + more)
  }
}

extension PipelineDefinition {
  /// SHA-256 of all that decides an archive besides the contents of files: what the pipeline asks
  /// for, its defaults, and what the command line changes.
  fileprivate func optionsDigest(scale: Int) -> String {
    var parts = [
      PipelineVersion.current, "scale \(scale)", name, description, attribution, "\(tiles)",
      "\(view)", output.layout.rawValue, "\(expectation)",
    ]
    parts += layers.map { "\($0.propertyValue)" }
    parts += globalState.sorted { $0.key < $1.key }.map { "state \($0.key) \($0.value)" }
    parts += sources.flatMap { [$0.name, "\($0.node.propertyValue)"] }
    return Provenance.digest(of: parts)
  }
}
