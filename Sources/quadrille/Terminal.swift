import Pipeline
import Synchronization
import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The only object that prints: results to standard output, everything else to standard error.
final class Terminal: Sendable {
  /// How important a message is.
  enum Level: String {
    case error
    case warning
    case note
  }

  private struct State {
    var redactions = RedactionList()
    var meter = ProgressMeter()
    /// When progress was last shown, in seconds.
    var lastShown = 0.0
    /// Whether the last line of standard error is a bar.
    var hasBar = false
  }

  private enum Style {
    case bar
    case lines
    case json
    case none
  }

  private let options: TerminalOptions
  private let style: Style
  private let state = Mutex(State())

  init(_ options: TerminalOptions) {
    self.options = options
    let isCapable = getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false
    let isTerminal = isatty(STDERR_FILENO) == 1 && isCapable
    style =
      switch options.progress {
      case _ where options.quiet: .none
      case .auto: isTerminal ? .bar : .lines
      case .bar: .bar
      case .json: .json
      case .none: .none
      }
  }

  /// Hides values from everything that is printed from now on.
  func hide(_ redactions: RedactionList) {
    state.withLock { $0.redactions.add(redactions) }
  }

  // MARK: Messages

  /// Prints an error; also when quiet.
  func report(_ error: PipelineError) {
    state.withLock { state in
      let error = error.redacted(by: state.redactions)
      Self.eraseBar(&state)
      guard options.logFormat == .json else {
        Self.print("error: \(error)\n", to: .standardError)
        return
      }
      var members: [ReportJSON.Member] = [
        .init("level", .string(Level.error.rawValue)),
        .init("code", .string(error.code.rawValue)),
        .init("message", .string(error.message)),
      ]
      if let place = error.place {
        members.append(.init("file", .string(place.file)))
        if place.line > 0 { members.append(.init("line", .integer(place.line))) }
        if place.column > 0 { members.append(.init("column", .integer(place.column))) }
      }
      if let cause = error.cause { members.append(.init("cause", .string(cause))) }
      if let stage = error.stage { members.append(.init("stage", .string(stage))) }
      Self.print(ReportJSON.object(members).line + "\n", to: .standardError)
    }
  }

  /// Prints a line about the run, unless quiet.
  func say(_ text: String, level: Level = .note) {
    guard !options.quiet else { return }
    state.withLock { state in
      Self.eraseBar(&state)
      say(text, level: level, state: state)
    }
  }

  private func say(_ text: String, level: Level, state: State) {
    let text = state.redactions.redact(text)
    let line: String =
      switch options.logFormat {
      case .text: level == .note ? text : "\(level.rawValue): \(text)"
      case .json:
        ReportJSON.members(["level": .string(level.rawValue), "message": .string(text)]).line
      }
    Self.print(line + "\n", to: .standardError)
  }

  // MARK: Results

  /// Prints a result on standard output, a secret as `***`.
  func show(_ text: String) throws(PipelineError) {
    let text = state.withLock { state in
      Self.eraseBar(&state)
      return state.redactions.redact(text)
    }
    try write(Array(text.utf8) + [UInt8(ascii: "\n")])
  }

  /// Writes bytes to standard output as they are.
  ///
  /// - Throws: ``PipelineError``; `interrupted` by SIGPIPE when nobody reads any more.
  func write(_ bytes: [UInt8]) throws(PipelineError) {
    do {
      try FileDescriptor.standardOutput.writeAll(bytes)
    } catch {
      if (error as? Errno) == .brokenPipe { throw .interrupted(by: SIGPIPE) }
      throw PipelineError(
        .inputOutput, "standard output cannot be written.", cause: "\(error)")
    }
  }

  /// Whether standard output is a screen, where binary data has no place.
  var showsOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  // MARK: Progress

  /// Takes note of an event and shows it if it is time.
  func progress(_ event: ProgressEvent) {
    let now = Self.now
    state.withLock { state in
      state.meter.update(event, now: now)
      if options.verbose, case .ended(let stage, let seconds) = event {
        Self.eraseBar(&state)
        say("\(stage): \(ReportNumber.seconds(seconds))", level: .note, state: state)
      }
      var isAdvance = false
      if case .advanced = event { isAdvance = true }
      show(&state, now: now, isAdvance: isAdvance)
    }
  }

  private func show(_ state: inout State, now: Double, isAdvance: Bool) {
    let interval =
      switch style {
      case .bar: 0.1
      case .lines: 10.0
      case .json: isAdvance ? 1.0 : 0.0
      case .none: Double.infinity
      }
    // Lines count from the first event, so that short runs print none.
    if state.lastShown == 0, style == .lines { state.lastShown = now }
    guard now - state.lastShown >= interval else { return }
    state.lastShown = now
    switch style {
    case .bar:
      Self.print("\r\(state.meter.bar(now: now, width: Self.width))\u{1B}[K", to: .standardError)
      state.hasBar = true
    case .lines: say(state.meter.line(now: now), level: .note, state: state)
    case .json: Self.print(state.meter.json(now: now).line + "\n", to: .standardError)
    case .none: break
    }
  }

  /// Takes the bar off the screen at the end of a run.
  func endProgress() {
    state.withLock { Self.eraseBar(&$0) }
  }

  private static func eraseBar(_ state: inout State) {
    guard state.hasBar else { return }
    print("\r\u{1B}[K", to: .standardError)
    state.hasBar = false
  }

  /// Seconds of a clock that never goes back.
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

  /// Prints, and does without if the stream is closed: a run does not end for want of a listener.
  private static func print(_ text: String, to stream: FileDescriptor) {
    _ = try? stream.writeAll(text.utf8)
  }
}
