import ArgumentParser
import Baking
import Definition
import Drafts
import Inputs
import JSON
import Platform
import Runs

/// A run of a command: its terminal, its signals, and the exit status of its errors.
struct Session {
  let terminal: Terminal
  let cancellation: Cancellation

  /// Runs the work of a command; an error is printed and becomes the exit status.
  ///
  /// - Parameter maxSeconds: the time limit from now; `nil` for no limit.
  static func run(
    _ options: TerminalOptions, maxSeconds: Double? = nil,
    _ work: (Session) throws(PipelineError) -> Void
  ) throws {
    StandardStreams.fill()
    let session = Session(
      terminal: Terminal(options), cancellation: Cancellation(maxSeconds: maxSeconds))
    SignalWatch.start(session.cancellation)
    // Its thread would take the signals if it had been started before they were blocked.
    RunMemory.begin()
    let start = ContinuousClock.now
    session.logStart()
    var exitCode: Int32 = 0
    do throws(PipelineError) {
      try session.cancellation.judging { () throws(PipelineError) in try work(session) }
      session.terminal.endProgress()
    } catch {
      session.terminal.endProgress()
      // Closing the pipe deliberately needs no message.
      if error.signal != SIGPIPE { session.terminal.report(error) }
      exitCode = error.exitCode
    }
    session.terminal.log(
      .end,
      [
        "exitCode": .integer(Int(exitCode)),
        "seconds": .seconds((ContinuousClock.now - start) / .seconds(1)),
      ])
    if exitCode != 0 { throw ExitCode(exitCode) }
  }

  /// Begins the log. Arguments may contain keys of servers, so only the command is logged.
  private func logStart() {
    terminal.log(
      .start,
      [
        "command": .string(CommandLine.arguments.dropFirst().first ?? ""),
        "version": .string(PipelineVersion.current), "process": .integer(Int(getpid())),
      ])
  }

  /// Reads a pipeline, a file or one at a url; its secrets are redacted from here on and its notes
  /// are printed.
  func definition(
    _ file: String, including inclusion: InclusionOptions,
    replacing replacements: [SourceReplacement], options: BuildOptions = BuildOptions()
  ) throws(PipelineError) -> PipelineDefinition {
    let definition: PipelineDefinition
    do throws(PipelineError) {
      definition = try PipelineDefinition(
        from: file, including: inclusion.include, replacing: replacements, options: options,
        cancellation: cancellation, environment: inclusion.environment)
    } catch {
      throw error.code == .definition && DataFile.isData(file) ? DataFile.refusal(of: file) : error
    }
    terminal.hide(definition.redactions)
    for note in definition.notes { terminal.say(note.description, level: .note) }
    return definition
  }

  /// The handler that prints the notes of a run that has no report.
  var note: (String) -> Void {
    { [terminal] note in terminal.note(note) }
  }

  /// The handler that shows the progress of a run.
  var progress: ProgressHandler {
    { [terminal] event in terminal.progress(event) }
  }
}

/// A command that runs in a session.
protocol SessionCommand: ParsableCommand {
  var terminal: TerminalOptions { get }

  /// Does the work of the command.
  func run(in session: Session) throws(PipelineError)
}

extension SessionCommand {
  func run() throws {
    try Session.run(terminal) { session throws(PipelineError) in try run(in: session) }
  }
}

/// The three standard streams, some of which a process may lack.
enum StandardStreams {
  /// Replaces closed streams, before another file gets their numbers and receives the output meant
  /// for the terminal.
  ///
  /// Standard error may be missing without harm; a run with closed standard output that writes a
  /// result to it gets an error, since the replacement is read-only.
  static func fill() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
      // Gets the lowest free number, which is the stream's, and stays open to the end.
      _ = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
