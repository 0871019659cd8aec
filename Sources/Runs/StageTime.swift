/// The wall-clock time and peak memory of one stage.
package struct StageTime: Hashable, Sendable {
  package var name: String

  /// The wall-clock time in seconds.
  package var seconds: Double

  /// The peak memory of the process up to the end of the stage, in bytes; 0 where it was not
  /// measured.
  package var peakMemoryBytes: Int

  package init(name: String, seconds: Double, peakMemoryBytes: Int = 0) {
    self.name = name
    self.seconds = seconds
    self.peakMemoryBytes = peakMemoryBytes
  }
}
