import ArgumentParser

/// How the run talks.
struct TerminalOptions: ParsableArguments {
  /// How progress is shown on standard error.
  enum Progress: String, CaseIterable, ExpressibleByArgument {
    /// A bar on a terminal, a line every 10 s elsewhere.
    case auto
    case bar
    /// A line of JSON when a stage begins, ends, and every second between.
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

  @Flag(name: .shortAndLong, help: "Also print notes on stages.")
  var verbose = false

  @Option(help: "How progress is shown: \(Progress.allValueStrings.joined(separator: ", ")).")
  var progress = Progress.auto

  @Option(help: "The form of messages: text, or json, an object a line.")
  var logFormat = LogFormat.text
}
