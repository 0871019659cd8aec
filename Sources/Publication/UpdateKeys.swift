import Archives
package import Definition
package import Runs

extension BuildOptions {
  /// Returns the options of a build with what its pipeline says of updates: so every build of it
  /// makes the same deltas and signatures, whoever starts it.
  ///
  /// - Throws: ``PipelineError`` where a key of the pipeline cannot be read: without it apps would
  ///   refuse the list.
  package func withUpdates(
    of definition: PipelineDefinition
  ) throws(PipelineError) -> BuildOptions {
    guard let updates = definition.output.updates else { return self }
    var options = self
    options.writesDeltas = true
    options.keyFiles = updates.keyFiles + keyFiles
    options.listSeconds = listSeconds ?? updates.listSeconds
    do {
      for key in try KeyFile.signingKeys(at: updates.keyFiles)
      where !options.signingKeys.contains(key) {
        options.signingKeys.append(key)
      }
    } catch {
      let file = error.place?.file ?? ""
      throw PipelineError(
        error.code,
        "'sign' of 'updates' names a key that cannot be used, and apps refuse a list without its "
          + "signature: \(file): \(error.message)", at: updates.place, cause: error.cause)
    }
    return options
  }
}
