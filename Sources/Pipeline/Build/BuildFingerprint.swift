import Crypto
import Fetching
import Foundation
import MBTiles
import SystemPackage

/// What decides an archive's bytes, as one hash: the program, the pipeline file, the options and
/// the contents of every input. Equal fingerprints make equal archives.
struct BuildFingerprint: Hashable, Sendable {
  /// The metadata key under which an archive keeps it.
  static let key = "\(ArchiveMetadata.prefix)inputs"

  /// 64 hexadecimal digits.
  let text: String

  /// Hashes everything.
  ///
  /// - Parameters:
  ///   - fonts: the font files that the style uses.
  ///   - inputs: what hashes the files, each once in a run.
  /// - Complexity: O(bytes of the inputs), at 1 to 2 GB/s a core.
  init(
    _ definition: PipelineDefinition, scale: Int, fonts: [String],
    inputs: InputDigests = InputDigests()
  ) throws(PipelineError) {
    var hash = SHA256()
    func add(_ text: String) {
      hash.update(data: Data("\(text.utf8.count):\(text)".utf8))
    }
    for part in [
      PipelineVersion.current, "scale \(scale)", definition.name, definition.description,
      definition.attribution, "\(definition.tiles)", definition.output.layout.rawValue,
      "\(definition.expectation)",
    ] {
      add(part)
    }
    for layer in definition.layers { add("\(layer.propertyValue)") }
    for (name, value) in definition.globalState.sorted(by: { $0.key < $1.key }) {
      add("state \(name) \(value)")
    }
    var files: [String] = []
    for source in definition.sources {
      add(source.name)
      add("\(source.node.propertyValue)")
      if case .fetched(let fetched) = source.data {
        // Content-addressed: their names are their digests.
        for file in fetched { add(file.sha256) }
        // One that is named lies here and not beside what was fetched.
        if let worldFile = fetched.first.flatMap({ source.worldFile(of: $0.path.string) }) {
          files.append(worldFile)
        }
      }
      files += source.records.changes.files
      guard case .file(let path) = source.data else { continue }
      files.append(path)
      if let worldFile = source.worldFile(of: path) { files.append(worldFile) }
    }
    if let program = InputDigests.program { files.append(program) }
    try inputs.prepare(files + fonts)
    for file in files + fonts { add(try inputs.sha256(of: file)) }
    text = lowercaseHexadecimal(hash.finalize())
  }
}
