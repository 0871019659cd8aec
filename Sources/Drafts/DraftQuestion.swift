import Features
import Ingest
import OrderedCollections

/// A choice of a draft that was not certain, for its user to make.
package struct DraftQuestion {
  /// The question, without the answers.
  package let text: String

  /// The answers; the first is the one that the draft has.
  package let answers: [Answer]

  package struct Answer {
    package let text: String

    /// The choice that the answer is.
    package let choose: (inout PipelineDraft.Choices) -> Void
  }

  /// The most questions about a draft.
  private static let limit = 3

  /// Returns the questions about a draft, the most doubtful first.
  ///
  /// - Parameter choices: the choices of the user, which are not asked for again.
  static func questions(
    on sources: [SourceDraft], _ choices: PipelineDraft.Choices
  ) -> [DraftQuestion] {
    let all = sources.map { source in
      [
        order(source, choices), tracks(source, choices), colors(source, choices),
      ].compactMap(\.self)
    }
    return Array(all.joined().prefix(limit))
  }

  private static func order(
    _ source: SourceDraft, _ choices: PipelineDraft.Choices
  ) -> DraftQuestion? {
    guard choices.x == nil, source.comments["x"] != nil, case .string(let x)? = source.keys["x"],
      case .string(let y)? = source.keys["y"]
    else { return nil }
    return DraftQuestion(
      text: "\(source.name): which column is the longitude?",
      answers: [(x, y), (y, x)].map { x, y in
        Answer(text: x) { ($0.x, $0.y) = (x, y) }
      })
  }

  private static func tracks(
    _ source: SourceDraft, _ choices: PipelineDraft.Choices
  ) -> DraftQuestion? {
    guard choices.lines == nil, choices.groupBy == nil, let facts = source.records,
      facts.tracks != nil
    else { return nil }
    let by = facts.roles.track?.by.map { " by '\($0)'" } ?? ""
    return DraftQuestion(
      text: "\(source.name): are its points joined to lines?",
      answers: [
        Answer(text: facts.connections == nil ? "yes\(by)" : "yes, to their second places") {
          $0.lines = true
        }, Answer(text: "no") { $0.lines = false },
      ])
  }

  private static func colors(
    _ source: SourceDraft, _ choices: PipelineDraft.Choices
  ) -> DraftQuestion? {
    guard choices.colorBy == nil, let roles = source.records?.roles, let lead = roles.lead,
      !roles.others.isEmpty
    else { return nil }
    return DraftQuestion(
      text: "\(source.name): which column decides the colours?",
      answers: ([lead.column] + roles.others).map { column in
        Answer(text: column) { $0.colorBy = column }
      })
  }
}
