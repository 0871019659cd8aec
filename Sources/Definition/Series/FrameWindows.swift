import Overlays
import Runs
import SystemPackage

/// The windows of time by which the records of a source are divided into frames.
///
/// A frame is named by the instant at which its step begins. Steps are counted in UTC from Monday,
/// 1 January of the year 1, so days begin at midnight and weeks on Mondays.
package struct FrameWindows: Sendable {
  /// The property that holds the instants of the records.
  package var property: String

  /// The seconds from one frame to the next, at least 1.
  package var every: Int64

  /// The seconds that a window lasts from its frame's instant, its end excluded, at least
  /// ``every``; `nil` for windows from the first record to the end of the frame's step.
  package var length: Int64?

  /// The publication of the frames.
  package var series: SeriesDefinition

  /// The records that a run draws instead of the series; `nil` for all frames one by one.
  package var view: View?

  /// The records of a source with frames that are read as if it had none.
  package enum View: Sendable {
    /// All records.
    case all
    /// The records of a frame, of an instant as the user wrote it; `nil` for the default frame.
    case frame(String?)
  }
}

/// The keys of `time` of a source of records.
package enum FrameWindowKeys {
  package static let name = "time"

  /// The value of `window` that means all records up to the end of a frame's step.
  static let cumulative = "cumulative"

  /// The longest step and window in seconds, about 32 years.
  static let longest: Int64 = 1_000_000_000

  static let object = ObjectSpecification(
    name,
    [
      KeySpecification(
        "property", .string, isRequired: true,
        "The column or property with the instant of a record, as ISO 8601; UTC without a zone."),
      KeySpecification(
        "every", .oneOf([.number(1...Double(longest)), .string]), isRequired: true,
        "The time from frame to frame, such as 15m, 6h or 7d, or in seconds."),
      KeySpecification(
        "window", .oneOf([.number(1...Double(longest)), .string]),
        "How long the window of a frame is, from its instant on, such as 7d; or cumulative, from "
          + "the first record to the end of the frame's step; every by default."),
    ] + SeriesKeys.shared)
}

extension SourceDecoder {
  /// Decodes `time` of a source of records; `nil` without it.
  func windows(_ source: KeyedNode) throws(PipelineError) -> FrameWindows? {
    guard source.node[FrameWindowKeys.name] != nil else { return nil }
    if source.node["line"] != nil {
      throw source.fault(
        FrameWindowKeys.name,
        "'time' makes frames of points and 'line' joins points to lines. Keep one of them.")
    }
    let keyed = source.object(FrameWindowKeys.name, FrameWindowKeys.object)
    let isCumulative = keyed.text("window") == FrameWindowKeys.cumulative
    let every = try span(keyed, "every")
    let length =
      keyed.node["window"] == nil ? every : isCumulative ? nil : try span(keyed, "window")
    if let length, length < every {
      throw keyed.fault(
        "window",
        "'window' is shorter than 'every', so records between two windows would be in no frame. "
          + "Lengthen it, or shorten 'every'.")
    }
    var options = SeriesOptions()
    options.onMissing = try keyed.value("onMissing")
    options.every = every
    options.keep = keyed.integer("keep")
    return FrameWindows(
      property: try keyed.value("property"), every: every, length: length,
      series: SeriesDefinition(
        frames: .records, image: nil, pattern: nil, options: options,
        presentation: try presentation(keyed), folder: paths.folder.string,
        place: source.place(of: FrameWindowKeys.name)))
  }

  /// Decodes whole seconds, or a number with s, m, h or d.
  private func span(_ keyed: KeyedNode, _ key: String) throws(PipelineError) -> Int64 {
    let seconds = keyed.number(key) ?? keyed.text(key).flatMap { TimeSpan.seconds($0) }
    guard let whole = seconds.flatMap({ Int64(exactly: $0) }),
      (1...FrameWindowKeys.longest).contains(whole)
    else {
      let text = keyed.text(key).map { "'\($0)'" } ?? keyed.number(key).map { "\($0)" } ?? "missing"
      throw keyed.fault(
        key,
        "'\(key)' is a time such as 15m, 6h or 7d, or whole seconds from 1 up"
          + (key == "window" ? ", or \(FrameWindowKeys.cumulative)" : "") + ", but it is \(text).")
    }
    return whole
  }
}
