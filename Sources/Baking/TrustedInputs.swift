package import Definition
package import Reuse
import SystemPackage

// The digests of inputs that are kept from run to run, for users who trust file times.
extension InputDigests {
  /// Creates the digests of a run, with those of earlier runs if the options allow trusting them.
  package convenience init(
    for definition: PipelineDefinition, _ options: BuildOptions, in cache: ArtifactCache
  ) {
    guard options.trustsFileTimes else {
      self.init(artifacts: cache)
      return
    }
    self.init(memory: DigestMemory(definition.inputsKey, in: cache), artifacts: cache)
  }
}

extension Build {
  /// Stores the digests of this run for the next one, if the options allow trusting them.
  package func rememberInputs() {
    guard options.trustsFileTimes else { return }
    inputs.learned.store(definition.inputsKey, in: artifacts)
  }
}

extension PipelineDefinition {
  fileprivate var inputsKey: ArtifactKey {
    ArtifactKey(kind: .inputs, [FilePath(output.path).lastComponent?.string ?? output.path])
  }
}
