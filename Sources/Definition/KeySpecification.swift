package import Features

/// One key that an object of the pipeline file may have.
///
/// The tables of these are the only list of keys there is: the decoder checks against them, the
/// JSON Schema is written from them, defaults are read from them.
package struct KeySpecification: Sendable {
  package var name: String
  package var value: ValueSpecification

  /// What the key means, a sentence with its unit.
  package var summary: String

  /// The value of an absent key, if there is a fixed one.
  package var defaultValue: PropertyValue?

  package var isRequired: Bool

  package init(
    _ name: String, _ value: ValueSpecification, default defaultValue: PropertyValue? = nil,
    isRequired: Bool = false, _ summary: String
  ) {
    self.name = name
    self.value = value
    self.summary = summary
    self.defaultValue = defaultValue
    self.isRequired = isRequired
  }
}

/// The keys of one kind of object.
package struct ObjectSpecification: Sendable {
  /// What messages call it: `tiles`, `a csv source`.
  package var title: String

  package var keys: [KeySpecification]

  package init(_ title: String, _ keys: [KeySpecification]) {
    self.title = title
    self.keys = keys
  }

  /// The key of this name.
  package func key(_ name: String) -> KeySpecification? {
    keys.first { $0.name == name }
  }

  package var names: [String] { keys.map(\.name) }
}

/// What the value of a key must be.
package indirect enum ValueSpecification: Sendable {
  /// Any JSON value: MapLibre expressions, properties and inline data.
  case anything
  /// Text that is not empty.
  case string
  case boolean
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  /// A text of a number without sign and `%`.
  case percentage
  /// One of some texts.
  case choice([String])
  /// One of some numbers.
  case numberChoice([Int])
  case list(of: ValueSpecification, count: ClosedRange<Int>)
  case object(ObjectSpecification)
  /// An object with keys of the user's own.
  case map(of: ValueSpecification)
  /// An object whose keys are zooms.
  case zoomMap(of: ValueSpecification)
  /// A source or layer, whose `type` decides the keys.
  case typed(TypedSpecification)
  /// The first that the value's JSON type fits.
  case oneOf([ValueSpecification])
}

/// The kinds of objects whose member `type` decides which keys they have.
package struct TypedSpecification: Sendable {
  /// What messages call one: `source`, `layer`.
  package var noun: String

  /// The keys by type, in the order in which messages list them.
  package var types: [(name: String, object: ObjectSpecification)]

  /// Types that others know and this version refuses.
  package var refused: [String]

  /// Whether a type may carry its reader's version, as `csv.1`.
  package var isVersioned: Bool

  /// Whether messages name one by its `id` rather than by its key or index.
  package var isNamedByID: Bool

  /// Names for one thing, of which each type has another one.
  package var synonyms: Set<String>

  /// The key of the object within which a name stands that is no key of the object itself.
  package var block: @Sendable (String) -> String?

  package init(
    _ noun: String, types: [(name: String, object: ObjectSpecification)], refused: [String] = [],
    isVersioned: Bool = false, isNamedByID: Bool = false, synonyms: Set<String> = [],
    block: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.synonyms = synonyms
    self.block = block
    self.noun = noun
    self.types = types
    self.refused = refused
    self.isVersioned = isVersioned
    self.isNamedByID = isNamedByID
  }

  package var names: [String] { types.map(\.name) }

  /// What to write instead of a key that an object of this type does not have; `nil` for one that is
  /// known by no other name and in no other place.
  func advice(
    _ member: DocumentMember, _ object: ObjectSpecification, _ node: DocumentNode
  ) -> String? {
    if synonyms.contains(member.key),
      let name = object.names.first(where: synonyms.contains), node.member(name) == nil
    {
      return "Write '\(name)\(member.node.text.map { ": \($0)" } ?? "")'."
    }
    return block(member.key).map { "Write it within '\($0)'." }
  }
}
