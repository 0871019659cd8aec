#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What one run of a program cost, the children that it waited for included.
struct ProcessCost {
  /// Wall-clock seconds.
  var wall: Double

  /// Seconds of processor time, user and system, of all threads.
  var cpu: Double

  /// The largest resident set of any single process of the run, in bytes.
  var peakBytes: Int

  init(wall: Double, usage: rusage) {
    self.wall = wall
    cpu = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    #if canImport(Darwin)
      peakBytes = usage.ru_maxrss
    #else
      // Linux counts in units of 1,024 bytes.
      peakBytes = usage.ru_maxrss * 1024
    #endif
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
