/// The options for playing a series.
package struct FramePresentation: Hashable, Sendable {
  /// The frame to show first.
  package enum DefaultFrame: Hashable, Sendable {
    case first
    case latest
    case at(FrameTime)

    /// - Throws: ``SeriesError`` if the series lacks that frame.
    func time(in series: FrameSeries) throws(SeriesError) -> FrameTime {
      switch self {
      case .first: return series.entries[0].time
      case .latest: return series.latest.time
      case .at(let time):
        guard series.entries.contains(where: { $0.time == time }) else {
          throw SeriesError(
            .notFound, "the series has no frame of \(time) to begin with; use 'latest' or 'first'.")
        }
        return time
      }
    }
  }

  /// Duration of a frame in milliseconds.
  package var frameDuration = 1000

  /// Whether the first frame follows the last.
  package var loops = true

  package var defaultFrame = DefaultFrame.latest

  /// The layer of the service that the images come from.
  package var layer: String?

  package init() {}

  /// Returns the duration of a number of frames in milliseconds, at most a day.
  func duration(_ steps: Int) -> Int {
    let (product, overflow) = max(frameDuration, 1).multipliedReportingOverflow(by: steps)
    return overflow ? 86_400_000 : min(product, 86_400_000)
  }
}
