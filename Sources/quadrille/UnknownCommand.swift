import ArgumentParser
import Definition
import Drafts
import Runs

/// The search for a command whose name is not known.
enum UnknownCommand {
  /// Returns the error of a command line that begins with such a name; `nil` for any other.
  static func error(
    in arguments: [String], commands: [any ParsableCommand.Type]
  ) -> PipelineError? {
    guard let word = arguments.first, !word.hasPrefix("-") else { return nil }
    let name = word == "help" ? arguments.dropFirst().first : word
    let names = commands.filter { $0.configuration.shouldDisplay }
      .compactMap { $0.configuration.commandName }
    let all = commands.compactMap { $0.configuration.commandName } + ["help"]
    guard let name, !name.hasPrefix("-"), !all.contains(name) else { return nil }
    let end =
      DataFile.isData(name)
      ? ". Draft a pipeline of this data with: quadrille new \(name)."
      : NameSuggestion.question(name, among: names)
    return PipelineError(
      .usage, "there is no command '\(name)'\(end) Commands are \(names.joined(separator: ", ")).")
  }
}
