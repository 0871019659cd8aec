import Platform

/// The peak memory use of this process.
package enum PeakMemory {
  /// The peak of the resident set in bytes; 0 if the system does not report it.
  package static var bytes: Int {
    var usage = rusage()
    #if canImport(Darwin)
      guard unsafe getrusage(RUSAGE_SELF, &usage) == 0 else { return 0 }
      return usage.ru_maxrss
    #else
      guard unsafe getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return 0 }
      // Linux counts in units of 1,024 bytes.
      return usage.ru_maxrss * 1024
    #endif
  }
}
