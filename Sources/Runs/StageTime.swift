/// The wall-clock time and peak memory of one stage.
package struct StageTime: Hashable, Sendable {
  package var name: String

  /// Wall-clock seconds.
  package var seconds: Double

  /// The most memory that the process had held when the stage ended, in bytes; 0 where nobody looked.
  package var peakMemoryBytes: Int

  package init(name: String, seconds: Double, peakMemoryBytes: Int = 0) {
    self.name = name
    self.seconds = seconds
    self.peakMemoryBytes = peakMemoryBytes
  }
}
