import JSON
import Synchronization

/// The state of the builds that an open page follows: how often the map changed, whether it is
/// being built, and the error of the last build.
package final class PreviewWatch: Sendable {
  /// The state between two builds.
  package struct State: Hashable, Sendable {
    /// The number of changes of the map.
    package var generation = 0
    package var isBuilding = false
    /// The sentence of the last build's error; `nil` if it succeeded.
    package var error: String?

    package init() {}
  }

  private let state = Mutex(State())

  package init() {}

  package var current: State { state.withLock { $0 } }

  /// Changes the state.
  package func update(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
  }

  /// The answer to `watch.json`.
  var json: ReportJSON {
    let state = current
    return .members([
      "generation": .integer(state.generation), "building": .bool(state.isBuilding),
      "error": state.error.map { .string($0) } ?? .null,
    ])
  }
}
