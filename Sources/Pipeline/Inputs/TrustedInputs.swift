import SystemPackage

// Where digests of inputs are kept from run to run, for those who trust file times.
extension InputDigests {
  /// The digests of a run, with what earlier runs found if the options allow to trust it.
  convenience init(for definition: PipelineDefinition, _ options: BuildOptions) {
    guard options.trustsFileTimes else {
      self.init()
      return
    }
    let cache = ArtifactCache(besideArchive: definition.output.path, options: options)
    self.init(memory: DigestMemory(definition.inputsKey, in: cache))
  }
}

extension Build {
  /// Keeps the digests of this run for the next one, if the options allow to trust them.
  func rememberInputs() {
    guard options.trustsFileTimes else { return }
    let cache = ArtifactCache(besideArchive: definition.output.path, options: options)
    inputs.learned.store(definition.inputsKey, in: cache)
  }
}

extension PipelineDefinition {
  fileprivate var inputsKey: ArtifactKey {
    ArtifactKey(kind: .inputs, [FilePath(output.path).lastComponent?.string ?? output.path])
  }
}
