import ArgumentParser
import CLimit
import Runs

/// The command line: arguments in, exit status out. All work is in `Pipeline`.
@main
struct Quadrille: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quadrille",
    abstract: "Bakes raster map tiles, offline, into one MBTiles archive.",
    discussion: """
        quadrille new stores.csv          drafts stores.yml
        quadrille build stores.yml        bakes stores.mbtiles
        quadrille preview stores.yml      shows it in the browser

      Exit status: 0 published or unchanged, 64 usage, 65 bad data or an unexpected result, \
      66 input missing, 69 fetch failed, 70 bug, 73 cannot create, 74 input/output, 75 locked by \
      another run or stopped by --max-seconds, 76 stopped no farther than before, 77 permission, 78 bad pipeline file, 129, 130 and 143 ended by a signal.
      """,
    version: PipelineVersion.current,
    subcommands: [
      NewCommand.self, BuildCommand.self, CheckCommand.self, PlanCommand.self, MergeCommand.self,
      QueryCommand.self,
      TileCommand.self,
      RenderCommand.self, WhyCommand.self, InspectCommand.self, VerifyCommand.self,
      DiffCommand.self, ApplyCommand.self, ExtractCommand.self, BasemapCommand.self,
      ExportCommand.self,
      PublishCommand.self, RollbackCommand.self, KeysCommand.self, PreviewCommand.self,
      SchemaCommand.self,
      ManualCommand.self,
    ])

  /// The sentence with which a process ends that gets no more memory under `ulimit -v`.
  private static let addressSpaceIsUsedUp =
    "error: the address space is used up, which is limited to % kB (ulimit -v); what was not "
    + "finished stays as it was. Raise the limit, or use --memory and a control group instead."

  /// Runs the command that the arguments name.
  ///
  /// If a log was requested, an invalid command line is also a line of the log.
  static func main() {
    climit_watch_address_space(addressSpaceIsUsedUp, PipelineError.Code.inputOutput.exitStatus)
    do throws(PipelineError) {
      try ReceivedArguments.check()
    } catch {
      Terminal.report(beforeStart: error)
      exit(withError: ExitCode(error.exitCode))
    }
    if let error = UnknownCommand.error(in: arguments, commands: configuration.subcommands) {
      if asksForLog {
        Terminal.report(usage: error.message)
      } else {
        Terminal.report(beforeStart: error)
      }
      exit(withError: ExitCode(error.exitCode))
    }
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      if exitCode(for: error) == .validationFailure, asksForLog {
        Terminal.report(usage: message(for: error))
        exit(withError: ExitCode.validationFailure)
      }
      if let script = CompletionScript.requested(by: arguments, message(for: error)) {
        print(script)
        exit(withError: exitCode(for: error))
      }
      guard let refusal = ReceivedArguments.refusal(fullMessage(for: error)) else {
        exit(withError: error)
      }
      Terminal.report(refusal: refusal)
      exit(withError: exitCode(for: error))
    }
  }

  /// The arguments; help on a command that is a separate program is delegated to that program.
  private static var arguments: [String] {
    let arguments = Array(CommandLine.arguments.dropFirst())
    return switch arguments {
    case ["help", PreviewCommand.name]: [PreviewCommand.name, "--help"]
    case ["-V"]: ["--version"]
    default: arguments
    }
  }

  /// Whether the arguments, valid or not, request JSON.
  private static var asksForLog: Bool {
    let arguments = CommandLine.arguments
    return arguments.contains("--log-format=json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == ("--log-format", "json") }
  }
}
