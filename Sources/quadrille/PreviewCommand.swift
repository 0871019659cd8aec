import ArgumentParser
import Files
import Platform
import Runs
import SystemPackage

/// The command `quadrille preview FILE…`, which executes `quadrille-preview`, a separate program
/// with a server, located beside this one.
struct PreviewCommand: ParsableCommand {
  static let name = "preview"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Show archives in the browser, or export the page as a folder.")

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("See: quadrille preview --help", valueName: "arguments"), completion: .file()
  )
  var arguments: [String] = []

  func run() throws {
    let name = "quadrille-preview"
    let program =
      InstalledFiles.program.map { FilePath($0).removingLastComponent().appending(name).string }
      ?? name
    if let data = DataPreview(arguments) { return try show(data, program) }
    var words = ([name] + arguments).map { strdup($0) }
    words.append(nil)
    execv(program, &words)
    for word in words { free(word) }
    throw Self.missing(program, errno)
  }

  /// Bakes files of data and shows them.
  private func show(_ data: DataPreview, _ program: String) throws {
    var status: Int32 = 0
    try Session.run(try TerminalOptions.parse([])) { session throws(PipelineError) in
      status = try data.run(program, session)
    }
    if status != 0 { throw ExitCode(status) }
  }

  private static func missing(_ program: String, _ code: Int32) -> any Error {
    let error = PipelineError(
      .missingInput,
      "the program \(program) cannot be run. Build or install it with 'make build' or 'make "
        + "install'.", cause: String(cString: strerror(code)))
    Terminal.report(beforeStart: error)
    return ExitCode(error.exitCode)
  }
}
