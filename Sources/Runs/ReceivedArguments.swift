/// The command line as the system delivers it.
package enum ReceivedArguments {
  /// Refuses to run without a command line: not even the program's name arrives where the runtime
  /// cannot read /proc/self/maps, through which it finds the arguments, and a program without
  /// arguments would print its help and exit successfully.
  ///
  /// - Throws: ``PipelineError`` if the arguments are empty.
  package static func check(_ arguments: [String] = CommandLine.arguments) throws(PipelineError) {
    guard arguments.isEmpty else { return }
    throw PipelineError(
      .inputOutput,
      "the system did not pass on the command line. Check that /proc is mounted and can be read, "
        + "then run again.")
  }

  /// Returns a refusal of the argument parser without the word before it, which this program spells
  /// `error:`; `nil` for help and versions.
  ///
  /// - Parameter message: what the parser would print, with the usage.
  package static func refusal(_ message: String) -> Substring? {
    let label = "Error: "
    return message.hasPrefix(label) ? message.dropFirst(label.count) : nil
  }
}
