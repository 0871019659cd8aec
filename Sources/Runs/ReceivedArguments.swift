/// The command line as the system hands it over.
package enum ReceivedArguments {
  /// Refuses to go on without a command line: not even the program's name arrives where the runtime
  /// cannot read /proc/self/maps, by which it finds the arguments, and a program without arguments
  /// would print its help and end well.
  ///
  /// - Throws: ``PipelineError``
  package static func check(_ arguments: [String] = CommandLine.arguments) throws(PipelineError) {
    guard arguments.isEmpty else { return }
    throw PipelineError(
      .inputOutput,
      "the system did not hand over the command line. Check that /proc is mounted and can be read, "
        + "then run again.")
  }
}
