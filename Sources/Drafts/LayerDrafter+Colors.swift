import Definition
import Examination
import Features
import Ingest

// The colours of layers, and the numbers of columns in expressions.
extension LayerDrafter {
  /// The colours by the leading column, and the comment that explains them; `nil` for one colour.
  func colors(_ facts: SourceDraft.RecordFacts) -> (value: PropertyValue, comment: String)? {
    switch facts.roles.lead {
    case .number(let column, let measure)?:
      let isChange = measure == .change
      let breaks =
        (isChange ? ClassBreaks(around0: facts.survey.numbers) : ClassBreaks(facts.survey.numbers))
        .values
      guard !breaks.isEmpty else { return nil }
      var comment =
        "Coloured by '\(column)': "
        + (isChange
          ? "brown below 0, green above, alike on both sides."
          : "\(breaks.count + 1) classes of about as many records each.")
      if measure == .amount, facts.polygons > 0 {
        comment +=
          "\nLarge areas have large amounts: divide them by the area to compare, as in\n"
          + "[step, [/, [get, \(column)], [get, area]], …]."
      }
      return (classes(column, breaks, measure), comment)
    case .ordered(let column, let classes)?:
      let colors = DraftPalette.steps(classes.count, isArea: facts.polygons > 0)
      return (
        match(column, zip(classes, colors), facts),
        "Coloured by '\(column)', from the least to the most."
      )
    case .category(let column)?: return categories(column, facts)
    case nil: return nil
    }
  }

  func categories(
    _ column: String, _ facts: SourceDraft.RecordFacts
  ) -> (value: PropertyValue, comment: String)? {
    let all = facts.survey.categories
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    guard all.count >= 2 else { return nil }
    // The last colour is left for the others where there are more.
    let limit = DraftPalette.categories.count
    let names = all.count > limit ? Array(all.prefix(limit - 1)) : all
    return (
      match(column, zip(names, DraftPalette.categories), facts),
      "Coloured by '\(column)'"
        + (names.count < all.count ? ": the \(names.count) most frequent, others gray." : ".")
    )
  }

  /// Returns a colour for each of some texts of a column, and gray for others.
  func match(
    _ column: String, _ cases: some Sequence<(String, String)>, _ facts: SourceDraft.RecordFacts
  ) -> PropertyValue {
    .array(
      [.string("match"), text(of: column, facts)]
        + cases.flatMap { [PropertyValue.string($0), .string($1)] } + [.string(DraftPalette.none)])
  }

  /// Returns the text of a column, some of whose values may be numbers.
  func text(of column: String, _ facts: SourceDraft.RecordFacts) -> PropertyValue {
    let profile = facts.examination.columns.first { $0.name == column }
    guard (profile?.texts ?? 0) != (profile?.values ?? 0) else { return get(column) }
    return .array([.string("to-string"), get(column)])
  }

  func classes(
    _ column: String, _ breaks: [Double], _ measure: ColumnWords.Measure
  ) -> PropertyValue {
    let colors = DraftPalette.classes(
      breaks.count + 1, of: measure, isArea: (source.records?.polygons ?? 0) > 0)
    let steps = zip(breaks, colors.dropFirst()).flatMap {
      [PropertyValue.number($0), .string($1)]
    }
    var first: [PropertyValue] = [number(column), .string(colors[0])]
    if let spelling = spelling(of: column), let least = source.records?.survey.numbers.first {
      // A text that is no number is less than all of them.
      let lowest = min(least, spelling.range.lowerBound)
      first = [
        number(column, fallback: lowest - 1), .string(DraftPalette.none), .number(lowest),
        .string(colors[0]),
      ]
    }
    let step = PropertyValue.array([.string("step")] + first + steps)
    return whereNumber(column, step, else: .string(DraftPalette.none))
  }

  func spelling(of column: String) -> ColumnSpelling? {
    source.records?.roles.spellings[column]
  }

  /// Returns the number of a column, which may be written with marks and units.
  ///
  /// - Parameter fallback: the number of texts that are none.
  func number(_ column: String, fallback: Double = 0) -> PropertyValue {
    guard case .array(let parts)? = spelling(of: column)?.expression(of: column) else {
      return get(column)
    }
    return .array(parts + [.number(fallback)])
  }

  /// Returns a value where a column has a number, and another one where it has none.
  func whereNumber(
    _ column: String, _ value: PropertyValue, else other: PropertyValue
  ) -> PropertyValue {
    let profile = source.records?.examination.columns.first { $0.name == column }
    if spelling(of: column) != nil {
      let text = PropertyValue.array([.string("to-string"), get(column)])
      return .array([
        .string("case"), .array([.string("!="), text, .string("")]), value, other,
      ])
    }
    guard let profile, profile.numbers < source.records?.examination.ledger.read ?? 0 else {
      return value
    }
    let isNumber = PropertyValue.array([
      .string("=="), .array([.string("typeof"), get(column)]), .string("number"),
    ])
    return .array([.string("case"), isNumber, value, other])
  }

  func get(_ name: String) -> PropertyValue { .array([.string("get"), .string(name)]) }

  /// Returns a value where features have a colour of their own in a column of simplestyle.
  func owned(
    _ column: String, _ facts: SourceDraft.RecordFacts, else color: PropertyValue
  ) -> PropertyValue {
    guard facts.roles.ownColors.contains(column) else { return color }
    return .array([
      .string("to-color"), .array([.string("coalesce"), get(column), color]),
    ])
  }
}
