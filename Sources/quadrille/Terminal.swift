import Features
import JSON
import Platform
import Reports
import Runs
import Synchronization
import SystemPackage

/// The only object that prints: results to standard output, everything else to standard error.
final class Terminal: Sendable {
  /// The importance of a message.
  enum Level: String {
    case error
    case warning
    case note
    /// A message that only a JSON log contains.
    case info
  }

  private struct State {
    var redactions = RedactionList()
    var meter = ProgressMeter()
    /// The progress of all stages; `nil` for a command that builds no archives.
    var run: RunProgress?
    var pace: ProgressPace
    /// Whether the last line of standard error is a progress bar.
    var hasBar = false
  }

  let options: TerminalOptions
  private let style: ProgressPace.Form
  private let errorColors: TerminalColors
  private let outputColors: TerminalColors
  private let state: Mutex<State>

  init(_ options: TerminalOptions) {
    self.options = options
    let isCapable = getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false
    let isTerminal = isatty(STDERR_FILENO) == 1 && isCapable
    let isLog = options.logFormat == .json
    style =
      switch options.progress {
      case _ where options.quiet: .none
      // A progress bar cannot be a line of a log.
      case .auto: isTerminal && !isLog ? .bar : .lines
      case .bar: isLog ? .json : .bar
      case .json: .json
      case .none: .none
      }
    errorColors = isLog ? .none : TerminalColors(STDERR_FILENO)
    outputColors = TerminalColors(STDOUT_FILENO)
    state = Mutex(State(pace: ProgressPace(style)))
  }

  /// Redacts values in everything that is printed from now on.
  func hide(_ redactions: RedactionList) {
    state.withLock { $0.redactions.add(redactions) }
  }

  /// The values redacted so far.
  var redactions: RedactionList { state.withLock { $0.redactions } }

  // MARK: Messages

  /// Prints an error; also when quiet.
  func report(_ error: PipelineError) {
    state.withLock { state in
      let error = error.redacted(by: state.redactions)
      Self.eraseBar(&state)
      for error in [error] + error.others {
        let line =
          options.logFormat == .json
          ? LogLine(error).text : Self.line(error, errorColors)
        Self.print(line, to: .standardError)
      }
    }
  }

  /// Prints an error of a command without its own options.
  static func report(beforeStart error: PipelineError) {
    print(line(error, TerminalColors(STDERR_FILENO)), to: .standardError)
  }

  /// Prints a refusal of the argument parser, which ends with the usage.
  static func report(refusal: Substring) {
    print("\(TerminalColors(STDERR_FILENO).label(.error)) \(refusal)\n", to: .standardError)
  }

  /// Returns the line of an error. Whatever it quotes of files and arguments can neither control the
  /// terminal nor fill it.
  private static func line(_ error: PipelineError, _ colors: TerminalColors) -> String {
    let text = error.description
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(4000)))
    let end = start.utf8.count < text.utf8.count ? "…" : ""
    return "\(colors.label(.error)) \(start.forTerminal)\(end)\n"
  }

  /// Prints a command line error as a line of the log.
  static func report(usage message: String) {
    print(LogLine(PipelineError(.usage, message)).text, to: .standardError)
  }

  /// Prints a line about the run; when quiet, only errors.
  func say(_ text: String, level: Level = .note) {
    guard !options.quiet || level == .error else { return }
    state.withLock { state in
      Self.eraseBar(&state)
      say(text, level: level, state: state)
    }
  }

  /// Prints a note of a run that has no report, as a report shows it.
  func note(_ text: String) { say(options.logFormat == .text ? "note: \(text)" : text) }

  private func say(_ text: String, level: Level, state: State) {
    let text = state.redactions.redact(text).forTerminal
    let line: String =
      switch options.logFormat {
      case .text: level == .note ? errorColors.note(text) : "\(errorColors.label(level)) \(text)"
      case .json: LogLine(.message, level, ["message": .string(text)]).line
      }
    Self.print(line + "\n", to: .standardError)
  }

  /// Adds a line to a JSON log, unless quiet; text output has the summary instead.
  func log(_ event: LogLine.Event, _ members: KeyValuePairs<String, ReportJSON>) {
    guard options.logFormat == .json, !options.quiet else { return }
    state.withLock { state in
      Self.print(
        LogLine(event, .info, members).redacted(by: state.redactions).text, to: .standardError)
    }
  }

  // MARK: Results

  /// Prints a result on standard output, with secrets as `***`.
  func show(_ text: String) throws(PipelineError) {
    let text = state.withLock { state in
      Self.eraseBar(&state)
      return state.redactions.redact(text).forTerminal
    }
    try write(Array(outputColors.heads(text).utf8) + [UInt8(ascii: "\n")])
  }

  /// Writes bytes to standard output unchanged.
  ///
  /// - Throws: ``PipelineError``; `interrupted` by SIGPIPE if the reader has closed the pipe.
  func write(_ bytes: [UInt8]) throws(PipelineError) {
    do {
      try FileDescriptor.standardOutput.writeAll(bytes)
    } catch {
      if (error as? Errno) == .brokenPipe { throw .interrupted(by: SIGPIPE) }
      throw PipelineError(
        .inputOutput, "standard output cannot be written.", cause: "\(error)")
    }
  }

  /// Whether standard output is a terminal, which binary data would garble.
  var showsOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  // MARK: Progress

  /// Shows one bar for all stages of a run from now on.
  ///
  /// - Parameter pipelines: the number of pipelines that are built.
  func beginRun(pipelines: Int = 1) {
    state.withLock { $0.run = RunProgress(pipelines: pipelines, now: Self.now) }
  }

  /// Begins a pipeline of the run, counted from 0.
  func begin(pipeline: Int, archives: Int) {
    state.withLock { $0.run?.begin(pipeline: pipeline, archives: archives) }
  }

  /// Records an event and shows it if it is time.
  func progress(_ event: ProgressEvent) {
    let now = Self.now
    state.withLock { state in
      state.meter.update(event, now: now)
      state.run?.update(event, stageShare: state.meter.share)
      if options.verbose, case .ended(let stage) = event {
        Self.eraseBar(&state)
        say("\(stage.name): \(ReportNumber.seconds(stage.seconds))", level: .note, state: state)
      }
      if state.pace.isDue(event, now: now) { show(&state, now: now) }
    }
  }

  private func show(_ state: inout State, now: Double) {
    switch style {
    case .bar:
      let bar =
        state.run?.bar(now: now, width: Self.width, stage: state.meter)
        ?? state.meter.bar(now: now, width: Self.width)
      Self.print("\r\(bar)\u{1B}[K", to: .standardError)
      state.hasBar = true
    case .lines where options.logFormat == .text:
      say(state.meter.line(now: now), level: .note, state: state)
    case .lines, .json:
      let progress = state.meter.json(now: now)
      let isLog = options.logFormat == .json
      Self.print(
        isLog ? LogLine(progress: progress).text : progress.line + "\n", to: .standardError)
    case .none: break
    }
  }

  /// Removes the progress bar at the end of a run.
  func endProgress() {
    state.withLock { Self.eraseBar(&$0) }
  }

  private static func eraseBar(_ state: inout State) {
    guard state.hasBar else { return }
    print("\r\u{1B}[K", to: .standardError)
    state.hasBar = false
  }

  /// The seconds of a monotonic clock.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Prints a text, ignoring a closed stream: a run does not end for lack of a reader.
  private static func print(_ text: String, to stream: FileDescriptor) {
    _ = try? stream.writeAll(text.utf8)
  }
}

extension String {
  /// The text with control characters of names and data as escapes such as `\u{1B}`, except line
  /// feeds and tabs, so that they cannot control the terminal.
  var forTerminal: String {
    guard
      utf8.contains(where: { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F || $0 == 0xC2 })
    else { return self }
    return unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
        ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }
}
