/// How a series is to be played.
package struct FramePresentation: Hashable, Sendable {
  /// The frame to show first.
  package enum DefaultFrame: Hashable, Sendable {
    case first
    case latest
    case at(FrameTime)

    /// - Throws: ``SeriesError`` where the series has no such frame.
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

  /// How long a frame is shown, ms.
  package var frameDuration = 1000

  /// Whether the first frame follows the last.
  package var loops = true

  package var defaultFrame = DefaultFrame.latest

  /// The layer of the service that the images came from.
  package var layer: String?

  package init() {}

  /// How long so many frames are shown, ms; a day at most.
  func duration(_ steps: Int) -> Int {
    let (product, overflow) = max(frameDuration, 1).multipliedReportingOverflow(by: steps)
    return overflow ? 86_400_000 : min(product, 86_400_000)
  }
}
