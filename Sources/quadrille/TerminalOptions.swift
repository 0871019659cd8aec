import ArgumentParser

/// The options for a run's output.
struct TerminalOptions: ParsableArguments {
  /// The form of progress on standard error.
  enum Progress: String, CaseIterable, ExpressibleByArgument {
    /// A bar on a terminal, otherwise a line every 10 s.
    case auto
    case bar
    /// A line of JSON when a stage begins and ends, and every second in between.
    case json
    case none
  }

  /// The form of messages on standard error.
  enum LogFormat: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
  }

  @Flag(name: .shortAndLong, help: "Print nothing on success but the data that was asked for.")
  var quiet = false

  @Flag(
    name: .shortAndLong,
    help:
      "Also print the time of each stage, and after a build the tables of sources, zooms and stages."
  )
  var verbose = false

  @Option(help: "How progress is shown: \(Progress.allValueStrings.joined(separator: ", ")).")
  var progress = Progress.auto

  @Option(help: "The form of messages: text, or json, one object per line.")
  var logFormat = LogFormat.text
}
