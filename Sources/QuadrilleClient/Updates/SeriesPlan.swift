/// The files to fetch to bring the frames of a series up to date.
public struct SeriesPlan: Hashable, Sendable {
  /// The plan of one frame.
  public struct Step: Hashable, Sendable {
    /// The frame's archive.
    public let frame: UpdateList.Archive
    /// The files to fetch for it.
    public let plan: UpdatePlan
  }

  /// The steps of all frames, in the order of the list.
  public let steps: [Step]

  /// The names of the archives that the series no longer has, sorted.
  public let removed: [String]

  /// Whether no archive changes, comes or goes.
  public var isEmpty: Bool { removed.isEmpty && steps.allSatisfy { $0.plan == .upToDate } }

  /// The bytes to fetch, without the manifest.
  public var bytes: Int { steps.reduce(0) { $0 + $1.plan.bytes } }

  /// Creates the plan of a list; `nil` if it is not that of a series.
  ///
  /// - Parameters:
  ///   - states: the states of the frames on this device, by the names of their archives.
  ///   - list: the publisher's list.
  public init?(from states: [String: ArchiveState], by list: UpdateList) {
    guard case .series(_, _, let frames) = list.content else { return nil }
    let deltas = Dictionary(grouping: list.deltas, by: \.frame)
    steps = frames.map { frame in
      let name = frame.file.name
      return Step(
        frame: frame, plan: UpdatePlan(from: states[name], to: frame, by: deltas[name] ?? []))
    }
    removed = Set(states.keys).subtracting(frames.map(\.file.name)).sorted()
  }
}
