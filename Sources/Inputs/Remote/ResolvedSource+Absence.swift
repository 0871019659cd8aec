import Definition
import Fetching

extension ResolvedSource {
  /// Makes it a source without data, and records the reason.
  mutating func leaveOut(_ resources: [RemoteResource], because error: FetchError) {
    leaveOut(Absence(reason: error.description, addresses: Set(resources.map(\.uri))))
    if let absenceNote { notes.append(absenceNote) }
  }

  /// Makes it a source without data.
  package mutating func leaveOut(_ absence: Absence) {
    origin = FetchedData([], of: name)
    warped = nil
    records?.changes = ChangeDefinition()
    self.absence = absence
  }

  /// The reason why the source is left out, a sentence; `nil` for a source that takes part.
  package var absenceNote: String? {
    absence.map {
      "source '\(name)' is left out, since it cannot be fetched (onFetchError: skip): \($0.reason)"
    }
  }
}
