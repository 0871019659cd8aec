import Foundation
import TestSupport
import Testing

@Suite("Completions") struct CompletionTests {
  /// A shell that completes command lines.
  private enum Shell: String {
    case bash, zsh, fish

    static let missing: Comment =
      "the shell is not installed (make deps-shells), or script, which types"

    /// The program; `nil` where it is not installed.
    var path: String? {
      ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(rawValue)" }
        .first(where: FileManager.default.isExecutableFile(atPath:))
    }

    /// Whether the shell can be given a terminal.
    var isTypable: Bool {
      path != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/script")
    }
  }

  /// What is typed, and what a shell makes of it when the tabulator is pressed.
  private static let lines = [
    ("quadrille ver", "quadrille verify"),
    ("quadrille build ci", "quadrille build city.yml"),
    ("quadrille build city.yml pa", "quadrille build city.yml parks.csv"),
    ("quadrille build -o ci", "quadrille build -o city.yml"),
    ("quadrille build --report pa", "quadrille build --report parks.csv"),
    ("quadrille build --include ci", "quadrille build --include city.yml"),
    ("quadrille build city.yml --tmpdir fo", "quadrille build city.yml --tmpdir folder"),
    ("quadrille check ci", "quadrille check city.yml"),
    ("quadrille new pa", "quadrille new parks.csv"),
    ("quadrille diff city.yml pa", "quadrille diff city.yml parks.csv"),
    ("quadrille export city.yml pa", "quadrille export city.yml parks.csv"),
    ("quadrille plan --output fo", "quadrille plan --output folder"),
    ("quadrille merge fo", "quadrille merge folder"),
    ("quadrille preview ci", "quadrille preview city.yml"),
    ("quadrille query folder/in", "quadrille query folder/inner.csv"),
    ("quadrille build city.yml --source a=pa", "quadrille build city.yml --source a=parks.csv"),
    (
      "quadrille why city.yml --source a=folder/in",
      "quadrille why city.yml --source a=folder/inner.csv"
    ),
    ("quadrille build --if-locked sk", "quadrille build --if-locked skip"),
  ]

  @Test(
    "bash completes commands, files and folders", .enabled(if: Shell.bash.isTypable, Shell.missing))
  func bash() throws { try check(.bash) }

  @Test(
    "zsh completes commands, files and folders", .enabled(if: Shell.zsh.isTypable, Shell.missing))
  func zsh() throws { try check(.zsh) }

  @Test(
    "fish completes commands, files and folders",
    .enabled(if: Shell.fish.path != nil, Shell.missing))
  func fish() throws { try check(.fish) }

  private func check(_ shell: Shell) throws {
    let path = try #require(shell.path)
    let folder = try TemporaryFolder()
    for name in ["city.yml", "parks.csv", "folder/inner.csv"] { try folder.write("", to: name) }
    let script = try Program.run("--generate-completion-script", shell.rawValue)
    try #require(script.status == 0)
    try folder.write(script.output, to: ".shell/_quadrille")
    let completed =
      shell == .fish
      ? try candidates(path, in: folder) : try typed(path, shell, in: folder)
    for (line, found) in zip(Self.lines, completed) {
      // Whether the slash after a folder stays when something else is typed is the shell's affair.
      #expect((found.hasSuffix("/") ? String(found.dropLast()) : found) == line.1, "\(line.0)")
    }
    #expect(completed.count == Self.lines.count)
  }

  /// Returns the lines that fish completes, which it does without a terminal.
  private func candidates(_ path: String, in folder: TemporaryFolder) throws -> [String] {
    let commands = Self.lines.map { "complete -C '\($0.0)' | string split -f 1 \\t; echo ." }
    let run = try Program.Run(
      ["--no-config", "-c", "source .shell/_quadrille; " + commands.joined(separator: "; ")],
      in: folder, environment: Self.environment, program: path
    ).finish()
    return run.output.split(separator: ".\n").enumerated().map { index, found in
      let words = Self.lines[index].0.split(separator: " ")
      return (words.dropLast() + [Substring(found.trimmingCharacters(in: .newlines))])
        .joined(separator: " ")
    }
  }

  /// Returns the lines that a shell completes when they are typed, with a tabulator at their end.
  private func typed(_ path: String, _ shell: Shell, in folder: TemporaryFolder) throws -> [String]
  {
    try folder.write(
      "PS1='$ '\nbind 'set enable-bracketed-paste off'\nsource .shell/_quadrille\n", to: ".shell/rc"
    )
    try folder.write(
      "PROMPT='$ '\nfpath=($PWD/.shell $fpath)\nautoload -Uz compinit; compinit -u -D\nbindkey -e\n",
      to: ".shell/.zshrc")
    // What stands in the line is printed: it is made the argument of a command.
    try folder.write(
      Self.lines.map { "\($0.0)\t\u{1}echo COMPLETED: \n" }.joined() + "exit\n", to: ".shell/keys")
    let command =
      shell == .zsh ? "\(path) -d -i" : "\(path) --noprofile --rcfile .shell/rc -i"
    let run = try Program.Run(
      ["-c", "script -qec '\(command)' /dev/null < .shell/keys"], in: folder,
      environment: Self.environment.merging(["ZDOTDIR": folder.path(".shell")]) { $1 },
      program: "/bin/sh"
    ).finish()
    let mark = "COMPLETED: "
    return run.output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix(mark) }.map {
      $0.dropFirst(mark.count).trimmingCharacters(in: .whitespaces)
    }
  }

  private static let environment = ["TERM": "dumb", "LC_ALL": "C"]

  /// The options and arguments that take no file: what is neither a word from a list nor one of
  /// these must have a completion.
  private static let others: Set = [
    "bbox", "bounds", "cache-size", "center", "clusters", "color-by", "crs", "dpi", "encoding",
    "expires", "feature", "filter", "frame", "geometry", "group-by", "id", "j", "label", "layer",
    "limit", "margin",
    "max-bytes", "max-files", "max-seconds", "maxzoom", "memory", "minzoom", "order-by", "place",
    "port",
    "ratio", "scale", "select", "series", "shard", "shards", "sheet", "size", "size-by",
    "source-layer", "subcommands", "tap", "threads", "tile", "title", "tile-size",
    "under-attribution",
    "url", "where", "x", "y", "zoom", "zooms",
  ]

  @Test("every option and argument of a command that may be a file completes files")
  func kinds() throws {
    let dump = try Program.run("--experimental-dump-help")
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(dump.output.utf8)) as? [String: Any])
    let command = try #require(root["command"] as? [String: Any])
    let commands = try #require(command["subcommands"] as? [[String: Any]])
    #expect(commands.count > 15)
    var files = 0
    for command in commands {
      for argument in command["arguments"] as? [[String: Any]] ?? [] {
        guard argument["kind"] as? String != "flag", argument["shouldDisplay"] as? Bool == true
        else { continue }
        let names = (argument["names"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
        let name = names?.max { $0.count < $1.count } ?? argument["valueName"] as? String ?? ""
        if argument["completionKind"] == nil {
          #expect(
            Self.others.contains(name) || name.hasPrefix("z/x/y"),
            "\(command["commandName"] ?? "") \(name)")
        } else {
          files += 1
        }
      }
    }
    #expect(files > 50)
  }
}
