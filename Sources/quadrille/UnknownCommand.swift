import ArgumentParser
import Definition
import Drafts
import Features
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
    return PipelineError(
      .usage,
      "there is no command '\(name.quotable)'\(end(name, names)) Commands are "
        + "\(names.joined(separator: ", ")).")
  }

  /// Returns the end of the sentence: what was probably meant.
  private static func end(_ name: String, _ commands: [String]) -> String {
    if DataFile.isData(name) {
      return ". Draft a pipeline of this data with: quadrille new \(name)."
    }
    let lower = name.lowercased()
    if lower.hasSuffix(".yml") || lower.hasSuffix(".yaml") || lower.hasSuffix(".json") {
      return ". Bake this pipeline with: quadrille build \(name.quotable)."
    }
    if OutputDefinition.suffixes.contains(where: { lower.hasSuffix($0) }) {
      return ". Look at this archive with: quadrille preview \(name.quotable)."
    }
    if let advice = CommandSynonym.advice(on: name) { return "; \(advice)." }
    return NameSuggestion.question(name, among: commands)
  }
}
