/// The wall-clock time and peak memory of one stage.
package struct StageTime: Hashable, Sendable {
  package var name: String

  /// The wall-clock time in seconds.
  package var seconds: Double

  /// The peaks of the process's memory during the stage; zeros where they were not measured.
  package var memory: MemoryUse

  package init(name: String, seconds: Double, memory: MemoryUse = MemoryUse()) {
    self.name = name
    self.seconds = seconds
    self.memory = memory
  }
}

extension Sequence<StageTime> {
  /// The peaks of all stages.
  package var peakMemory: MemoryUse {
    reduce(into: MemoryUse()) { $0.formMaximum($1.memory) }
  }
}

extension [StageTime] {
  /// Adds the time of a stage to the one of the same name, if there is one; their memory is the peak
  /// of both.
  package mutating func add(_ stage: StageTime) {
    guard let index = firstIndex(where: { $0.name == stage.name }) else { return append(stage) }
    self[index].seconds += stage.seconds
    self[index].memory.formMaximum(stage.memory)
  }
}
