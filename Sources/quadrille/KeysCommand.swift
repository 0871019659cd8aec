import Archives
import ArgumentParser
import Definition
import Runs

/// The command `quadrille keys`, which makes the keys that sign lists of updates.
struct KeysCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Make keys that sign updates: keys new NAME.",
    discussion: """
      'keys new' writes NAME.key, which 'build --sign' takes and nobody else may have, and NAME.pub, \
      which apps are given to recognize the publisher. An existing file is never overwritten.

        quadrille keys new city
        quadrille build city.yml --sign city.key
      """)

  /// The action of the command.
  enum Action: String, CaseIterable, ExpressibleByArgument {
    case new
  }

  @Argument(help: "new: make a pair of keys.")
  var action: Action

  @Argument(help: "The path of both files, without their suffixes.", completion: .file())
  var name: String

  @OptionGroup var terminal: TerminalOptions

  func run(in session: Session) throws(PipelineError) {
    let pair = try KeyFile.create(name)
    if !terminal.quiet { try session.terminal.show(pair.text) }
  }
}

/// The options of commands that write a list of updates.
struct SigningOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Sign the list of updates, NAME.updates.json, with this key of 'keys new'. May be given more "
        + "than once while apps change from one key to another.", valueName: "name.key"),
    completion: .file())
  var sign: [String] = []

  @Option(
    help: ArgumentHelp(
      "How long apps accept the list of updates, such as 30d. A build that finds nothing new renews it "
        + "once half of that is over.", valueName: "time"))
  var expires: String?

  /// Whether the options ask for a list of updates.
  var asksForList: Bool { !sign.isEmpty || expires != nil }

  func validate() throws {
    if let expires, ListLifetime.seconds(expires) == nil {
      throw ValidationError(
        "--expires is a time from 1m on, such as 12h or 30d, not '\(expires)'.")
    }
  }

  /// Sets the keys of a run and the validity of its lists.
  func apply(to options: inout BuildOptions) throws(PipelineError) {
    options.keyFiles = sign
    options.signingKeys = try KeyFile.signingKeys(at: sign)
    options.listSeconds = expires.flatMap(ListLifetime.seconds)
    options.publicationTime = try SourceDate.given()
  }
}
