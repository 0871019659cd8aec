import Foundation
import Runs

/// The manual page `quadrille(1)` in the language of `man`, made from the descriptions of the
/// commands and their options.
struct ManualPage {
  /// A command, as the argument parser describes it.
  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var subcommands: [Command]?
    var arguments: [Argument]?
    var shouldDisplay: Bool?
  }

  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
    }

    var kind: String
    var abstract: String?
    var shouldDisplay: Bool
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var defaultValue: String?
  }

  private struct Root: Decodable {
    var command: Command
  }

  private let root: Command

  /// - Parameter help: the JSON of `--experimental-dump-help`.
  init(help: Data) throws {
    root = try JSONDecoder().decode(Root.self, from: help).command
  }

  /// The page; it depends on the version of the program alone.
  var text: String {
    var lines = [
      ".TH QUADRILLE 1 \"\" \"Quadrille \(PipelineVersion.current)\" \"User Commands\"",
      ".SH NAME", "quadrille \\- \(Self.escaped(root.abstract ?? ""))",
      ".SH SYNOPSIS", ".B quadrille", "\\fIcommand\\fR [\\fIoptions\\fR] \\fIfile\\fR...",
      ".SH DESCRIPTION",
    ]
    lines += Self.paragraphs(root.discussion ?? "")
    lines.append(".SH COMMANDS")
    for command in root.subcommands ?? [] where command.isShown {
      lines += Self.section(command)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func section(_ command: Command) -> [String] {
    let arguments = (command.arguments ?? []).filter {
      $0.shouldDisplay && !($0.names ?? []).contains { $0.name == "help" || $0.name == "version" }
    }
    let places = arguments.filter { $0.kind == "positional" }.map { argument in
      "\\fI\(escaped(argument.valueName ?? ""))\\fR\(argument.isRepeating ? "..." : "")"
    }
    var lines = [
      ".SS quadrille \(escaped(command.commandName)) \(places.joined(separator: " "))",
      escaped(command.abstract ?? ""),
    ]
    lines += paragraphs(command.discussion ?? "")
    for argument in arguments where argument.kind != "positional" {
      let names = (argument.names ?? []).map { name in
        "\\fB\(name.kind == "long" ? "\\-\\-" : "\\-")\(escaped(name.name))\\fR"
      }
      let value = argument.kind == "option" ? " \\fI\(escaped(argument.valueName ?? ""))\\fR" : ""
      lines += [".TP", names.joined(separator: ", ") + value, escaped(argument.abstract ?? "")]
    }
    return lines
  }

  /// Returns a text as paragraphs; indented lines keep their breaks.
  private static func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n\n").flatMap { paragraph -> [String] in
      let lines = paragraph.split(separator: "\n").map { escaped(String($0)) }
      guard paragraph.hasPrefix("  ") else { return [".PP"] + lines }
      return [".PP", ".nf"] + lines + [".fi"]
    }
  }

  /// Returns a text in which all characters with a meaning for `man` are escaped.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return plain.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : String(line)
    }.joined(separator: "\n")
  }
}

extension ManualPage.Command {
  fileprivate var isShown: Bool { (shouldDisplay ?? true) && commandName != "help" }
}
