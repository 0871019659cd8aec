package import Features

/// A key that an object of the pipeline file may have.
///
/// Tables of these are the only list of keys: the decoder checks against them, the JSON Schema is
/// written from them, defaults are read from them.
package struct KeySpecification: Sendable {
  package var name: String
  package var value: ValueSpecification

  /// The meaning of the key: a sentence with its unit.
  package var summary: String

  /// The value of an absent key, if it is a fixed one.
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
  /// The name of the object in messages: `tiles`, `a csv source`.
  package var title: String

  package var keys: [KeySpecification]

  package init(_ title: String, _ keys: [KeySpecification]) {
    self.title = title
    self.keys = keys
  }

  /// Returns the key of this name.
  package func key(_ name: String) -> KeySpecification? {
    keys.first { $0.name == name }
  }

  package var names: [String] { keys.map(\.name) }
}

/// The specification of a key's values.
package indirect enum ValueSpecification: Sendable {
  /// Any JSON value: MapLibre expressions, properties and inline data.
  case anything
  /// A text that is not empty.
  case string
  case boolean
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  /// A text of a number without sign, followed by `%`.
  case percentage
  /// A text from a list.
  case choice([String])
  /// A number from a list.
  case numberChoice([Int])
  case list(of: ValueSpecification, count: ClosedRange<Int>)
  case object(ObjectSpecification)
  /// An object whose keys the user chooses.
  case map(of: ValueSpecification)
  /// An object whose keys are zooms.
  case zoomMap(of: ValueSpecification)
  /// A source or layer, whose `type` determines the keys.
  case typed(TypedSpecification)
  /// The first alternative that fits the value's JSON type.
  case oneOf([ValueSpecification])
}

/// A kind of objects whose keys depend on their member `type`.
package struct TypedSpecification: Sendable {
  /// The name of such an object in messages: `source`, `layer`.
  package var noun: String

  /// The keys by type, in the order in which messages list them.
  package var types: [(name: String, object: ObjectSpecification)]

  /// An object of one of the types, as messages show it.
  package var example: String

  /// Types that other programs know and this version refuses.
  package var refused: [String]

  /// Whether a type may be followed by its reader's version, as in `csv.1`.
  package var isVersioned: Bool

  /// Whether messages name an object by its `id` rather than by its key or index.
  package var isNamedByID: Bool

  /// Names that mean the same in different types, each of which has one of them.
  package var synonyms: Set<String>

  /// The function that returns the key of the nested object to which a misplaced name belongs.
  package var block: @Sendable (String) -> String?

  package init(
    _ noun: String, types: [(name: String, object: ObjectSpecification)], example: String,
    refused: [String] = [],
    isVersioned: Bool = false, isNamedByID: Bool = false, synonyms: Set<String> = [],
    block: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.synonyms = synonyms
    self.block = block
    self.noun = noun
    self.example = example
    self.types = types
    self.refused = refused
    self.isVersioned = isVersioned
    self.isNamedByID = isNamedByID
  }

  package var names: [String] { types.map(\.name) }

  /// Returns the advice for a key that an object of this type does not have; `nil` if it is not
  /// known by another name or in another place.
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
