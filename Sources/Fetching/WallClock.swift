import Platform

/// The system's time.
enum WallClock {
  /// Returns the seconds since 1970, UTC.
  static func secondsSince1970() -> Int64 { Int64(time(nil)) }

  /// Waits in steps of 50 ms until the time has elapsed or the condition holds.
  static func wait(_ duration: Duration, unless isOver: () -> Bool) {
    let end = ContinuousClock.now + duration
    while !isOver() {
      let left = end - ContinuousClock.now
      guard left > .zero else { return }
      let step = min(left, .milliseconds(50)).components.attoseconds / 1_000_000_000
      var time = timespec(tv_sec: 0, tv_nsec: Int(step))
      nanosleep(&time, nil)
    }
  }
}
