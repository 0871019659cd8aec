import Overlays

/// The pattern of the times in the names of frames.
enum TimeNames {
  /// Ways in which times are written in names, the most exact first.
  private static let forms: [String] = {
    let dates = ["%Y-%m-%d", "%Y%m%d", "%Y_%m_%d"]
    let clocks = [
      "%H%M%S", "%H-%M-%S", "%H_%M_%S", "%H:%M:%S", "%H%M", "%H-%M", "%H_%M", "%H:%M", "%H",
    ]
    var forms: [String] = []
    for clock in clocks {
      for date in dates {
        for separator in ["T", "-", "_", ""] {
          forms += ["Z", ""].map { "\(date)\(separator)\(clock)\($0)" }
        }
      }
    }
    return forms + dates + ["%Y-%j", "%Y%j", "%s"]
  }()

  /// Returns the first form that finds another time in every name; `nil` if none does.
  ///
  /// - Complexity: O(names · forms) in the worst case; most forms fail at the first name.
  static func pattern(of names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    return forms.first { form in
      guard let pattern = try? TimePattern(form) else { return false }
      var times: Set<FrameTime> = []
      for name in names {
        guard let time = try? pattern.time(in: name), times.insert(time).inserted else {
          return false
        }
      }
      return isLikely(times, isCount: form == "%s")
    }
  }

  /// Whether times are of our age: digits that only look like a time rarely are.
  ///
  /// - Parameter isCount: whether they are counts of seconds, which a number of a frame also is.
  private static func isLikely(_ times: Set<FrameTime>, isCount: Bool) -> Bool {
    // 1950, or for counts 1973, to 2150.
    let first: Int64 = isCount ? 100_000_000 : -631_152_000
    return times.allSatisfy { (first...5_680_281_600).contains($0.seconds) }
  }
}
