package import Definition
package import Inputs
import MBTiles
import Raster
package import Reuse
package import Runs
import TileCodecs

/// A hash of everything that determines an archive's bytes: the program, the pipeline file, the
/// options and the contents of every input. Equal fingerprints mean equal archives.
package struct BuildFingerprint: Hashable, Sendable {
  /// The hash, 64 hexadecimal digits.
  package let text: String

  /// The hashed inputs, one by one.
  package let provenance: Provenance

  /// Hashes everything.
  ///
  /// - Parameters:
  ///   - choice: the zoom and format that the pipeline's budget allows; `nil` without a budget.
  ///   - fonts: the font files that the style uses.
  ///   - inputs: the digests of the files, each computed once per run.
  /// - Complexity: O(bytes of the inputs), at 1 to 2 GB/s per core.
  package init(
    _ pipeline: ResolvedPipeline, _ choice: TileBudget.Choice? = nil, scale: Int, fonts: [String],
    inputs: InputDigests = InputDigests()
  ) throws(PipelineError) {
    let definition = pipeline.definition
    let sources = pipeline.drawnSources.map { (name: $0.name, files: $0.inputFiles) }
    let fonts = fonts.map { InputFile(.font, path: $0) }
    let sprites = pipeline.sprites.flatMap(\.inputFiles)
    try inputs.prepare((sources.flatMap(\.files) + fonts + sprites).compactMap(\.path))
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
      program: try inputs.program(),
      options: definition.optionsDigest(choice, scale: scale), sources: [],
      // Sorted by name: the folders of fonts differ from machine to machine.
      fonts: try hashed(fonts).sorted { ($0.name, $0.sha256) < ($1.name, $1.sha256) },
      sprites: try hashed(sprites), libraries: fonts.isEmpty ? [] : TextLibraries.versions)
    for source in sources {
      provenance.sources.append(
        Provenance.Source(name: source.name, files: try hashed(source.files)))
    }
    self.init(provenance)
  }

  /// Creates the hash of a provenance and of further inputs that it does not list.
  package init(_ provenance: Provenance, _ more: [String] = []) {
    self.provenance = provenance
    text = Provenance.digest(of: provenance.lines + more)
  }
}

extension PipelineDefinition {
  /// Returns the SHA-256 of all inputs except the contents of files: the pipeline's keys, its
  /// defaults, and the options of the command line.
  fileprivate func optionsDigest(_ choice: TileBudget.Choice?, scale: Int) -> String {
    var parts = [
      PipelineVersion.current, "scale \(scale)", name, description, attribution, "\(tiles)",
      "\(view)", "aggTilesHash \(output.hasAggTilesHash)",
      output.layout?.rawValue ?? OutputDefinition.automaticLayout, "\(expectation)",
    ]
    parts += [choice?.text, tiles.codec.identity].compactMap(\.self)
    parts += layers.map { "\($0.propertyValue)" }
    parts += globalState.sorted { $0.key < $1.key }.map { "state \($0.key) \($0.value)" }
    // The files have digests of their own; their names and the ways of reading them are hashed
    // here.
    parts += sprites.map { "sprite \($0.kind) \($0.parts.map(\.density))" }
    parts += sources.flatMap { [$0.name, "\($0.node.propertyValue)"] }
    return Provenance.digest(of: parts)
  }
}
