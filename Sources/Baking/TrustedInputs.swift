package import Definition
package import Reuse
import SystemPackage

// Where digests of inputs are kept from run to run, for those who trust file times.
extension InputDigests {
  /// The digests of a run, with what earlier runs found if the options allow to trust it.
  package convenience init(
    for definition: PipelineDefinition, _ options: BuildOptions, in cache: ArtifactCache
  ) {
    guard options.trustsFileTimes else {
      self.init()
      return
    }
    self.init(memory: DigestMemory(definition.inputsKey, in: cache))
  }
}

extension Build {
  /// Keeps the digests of this run for the next one, if the options allow to trust them.
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
