package import JSON
package import Runs

/// A meter of a run's progress that formats it: rate, share and remaining time.
///
/// Time comes from the caller, in seconds of any monotonic clock.
package struct ProgressMeter: Sendable {
  package private(set) var stage = ""
  package private(set) var done = 0
  package private(set) var total: Int?
  package private(set) var zoom: Int?
  private var unit = ProgressUnit.records
  private var start = 0.0

  package init() {}

  /// Updates the state with an event.
  package mutating func update(_ event: ProgressEvent, now: Double) {
    switch event {
    case .began(let stage, let total, let unit):
      (self.stage, self.total, self.unit, start) = (stage, total, unit, now)
      (done, zoom) = (0, nil)
    case .advanced(let stage, let done, let zoom):
      guard stage == self.stage else { return }
      (self.done, self.zoom) = (done, zoom)
    case .ended(let time):
      if time.name == stage, let total { done = total }
    }
  }

  /// The share that is done, 0…1; `nil` where the total is not known.
  package var share: Double? {
    guard let total, total > 0 else { return nil }
    return min(max(Double(done) / Double(total), 0), 1)
  }

  /// Formats the progress: `paint z14  61 %  277,000 of 455,000 tiles  228,000 tiles/s  1 s to go`.
  package func line(now: Double) -> String {
    var parts = [name]
    if let share { parts.append("\(Int(share * 100)) %") }
    parts.append(amount)
    let elapsed = now - start
    if elapsed > 0.5, done > 0 {
      let rate = Double(done) / elapsed
      parts.append(self.rate(rate))
      if let total, total > done {
        parts.append("\(Self.rough(Double(total - done) / rate)) to go")
      }
    }
    return parts.joined(separator: "  ")
  }

  /// Formats the bar and the line, for a terminal of `width` columns.
  package func bar(now: Double, width: Int) -> String {
    Self.bar(share, line(now: now), width: width)
  }

  /// Formats a bar with a text after it; without the bar where the share is not known or there is
  /// no room.
  static func bar(_ share: Double?, _ text: String, width: Int) -> String {
    let room = min(width - text.count - 4, 30)
    guard let share, room >= 8 else { return String(text.prefix(max(width - 1, 0))) }
    let filled = Int((share * Double(room)).rounded(.down))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
    return "\(bar)  \(text)"
  }

  /// Returns the progress as a line of JSON.
  package func json(now: Double) -> ReportJSON {
    var members: [ReportJSON.Member] = [
      .init("stage", .string(stage)), .init("done", .integer(done)),
      .init("unit", .string(unit.rawValue)), .init("seconds", .seconds(now - start)),
    ]
    if let total { members.insert(.init("total", .integer(total)), at: 2) }
    if let zoom { members.append(.init("zoom", .integer(zoom))) }
    return .object(members)
  }

  /// The stage and the amount that is done: `tiles z14  277,000 of 455,000 tiles`.
  var position: String { done > 0 || total != nil ? "\(name)  \(amount)" : name }

  /// The stage with its zoom.
  private var name: String { stage + (zoom.map { " z\($0)" } ?? "") }

  private var amount: String {
    if unit == .bytes {
      let whole = total.map { " of \(ReportNumber.bytes($0))" } ?? ""
      return ReportNumber.bytes(done) + whole
    }
    let whole = total.map { " of \(ReportNumber.count($0))" } ?? ""
    return "\(ReportNumber.count(done))\(whole) \(unit.rawValue)"
  }

  private func rate(_ rate: Double) -> String {
    let whole = Int(min(rate, 1e15))
    return unit == .bytes
      ? "\(ReportNumber.bytes(whole))/s" : "\(ReportNumber.count(whole)) \(unit.rawValue)/s"
  }

  /// Formats the remaining time without false precision.
  static func rough(_ seconds: Double) -> String {
    seconds < 100 ? "\(Int(seconds.rounded(.up))) s" : ReportNumber.seconds(seconds)
  }
}

/// The rule for when progress is shown again: at the rate that suits its form, and in a log only
/// after an advance.
package struct ProgressPace: Sendable {
  /// The form of progress.
  package enum Form: Sendable {
    /// A bar that is redrawn.
    case bar
    /// Lines of a log; a short run writes none.
    case lines
    /// Lines for another program.
    case json
    case none
  }

  package let form: Form

  /// The time when progress was last shown, in seconds of the caller's clock.
  private var last: Double?

  package init(_ form: Form) {
    self.form = form
  }

  /// Whether an event is to be shown; if so, the interval starts again from it.
  package mutating func isDue(_ event: ProgressEvent, now: Double) -> Bool {
    var isAdvance = false
    if case .advanced = event { isAdvance = true }
    let interval: Double
    switch form {
    case .bar: interval = 0.1
    case .lines:
      interval = 10
      // At the beginning or end of a stage there is nothing new to report.
      guard isAdvance else {
        last = last ?? now
        return false
      }
    case .json: interval = isAdvance ? 1 : 0
    case .none: return false
    }
    if last == nil, form == .lines { last = now }
    guard now - (last ?? -.infinity) >= interval else { return false }
    last = now
    return true
  }
}
