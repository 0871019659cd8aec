import Calendar
import JSON
import Pipeline
import Platform

/// A line of the log that `--log-format json` writes: an object whose first keys are `time`, `level`
/// and `event`.
struct LogLine {
  /// What a line tells.
  enum Event: String {
    /// The run begins: `command`, `version`, `process`.
    case start
    /// `message` for people, and of an error `code`, `file`, `line`, `column`, `cause`, `stage`.
    case message
    /// `stage`, `done`, `total`, `unit`, `seconds`, `zoom`.
    case progress
    /// What came of an archive: `pipeline`, `result`, `archive`, `bytes`, `digest`, `notes`.
    case result
    /// The run is over: `exitCode`, `seconds`.
    case end
  }

  private var json: ReportJSON

  init(_ event: Event, _ level: Terminal.Level, _ members: [ReportJSON.Member]) {
    json = .object(
      [
        .init("time", .string(Self.now)), .init("level", .string(level.rawValue)),
        .init("event", .string(event.rawValue)),
      ] + members)
  }

  init(_ event: Event, _ level: Terminal.Level, _ members: KeyValuePairs<String, ReportJSON>) {
    self.init(event, level, members.map { ReportJSON.Member($0.key, $0.value) })
  }

  /// An error with its code and place; its words hold no secret already.
  init(_ error: PipelineError) {
    var members: [ReportJSON.Member] = [
      .init("code", .string(error.code.rawValue)), .init("message", .string(error.message)),
      .init("exitCode", .integer(Int(error.exitCode))),
    ]
    if let place = error.place {
      members.append(.init("file", .string(place.file)))
      if place.line > 0 { members.append(.init("line", .integer(place.line))) }
      if place.column > 0 { members.append(.init("column", .integer(place.column))) }
    }
    if let cause = error.cause { members.append(.init("cause", .string(cause))) }
    if let stage = error.stage { members.append(.init("stage", .string(stage))) }
    self.init(.message, .error, members)
  }

  /// Where a run stands, as `--progress json` tells it.
  init(progress: ReportJSON) {
    guard case .object(let members) = progress else {
      self.init(.progress, .info, ["progress": progress])
      return
    }
    self.init(.progress, .info, members)
  }

  /// The same with every secret blotted out of its values.
  func redacted(by list: RedactionList) -> LogLine {
    var redacted = self
    redacted.json = Self.redacted(json, by: list)
    return redacted
  }

  private static func redacted(_ json: ReportJSON, by list: RedactionList) -> ReportJSON {
    switch json {
    case .string(let text): .string(list.redact(text))
    case .array(let items): .array(items.map { redacted($0, by: list) })
    case .object(let members):
      .object(members.map { .init($0.key, redacted($0.value, by: list)) })
    case .null, .bool, .integer, .number: json
    }
  }

  /// Without a line feed.
  var line: String { json.line }

  /// With one.
  var text: String { json.line + "\n" }

  /// `2026-11-21T21:30:00.123Z`.
  private static var now: String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UTCText.text(
      secondsSince1970: Int(time.tv_sec), milliseconds: Int(time.tv_nsec) / 1_000_000)
  }
}
