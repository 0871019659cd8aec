package import Features
import OrderedCollections
package import Runs

/// A change of one value of a layer's look: a colour, a size, the limit of a class, a font.
package struct LookChange: Hashable, Sendable {
  package enum Block: String, Hashable, Sendable { case layout, paint }

  /// The layer's identifier in the file.
  package var layer: String
  package var block: Block
  package var property: String

  /// The way from the property's value to the one that is changed; empty for the value itself.
  package var path: [DocumentStep] = []

  /// A number or a text like the one in its place; any value for a property that the layer lacks.
  package var value: PropertyValue
}

/// The changes that a preview makes to a pipeline's layers: to their looks, and to the features they show.
package struct LookOverlay: Hashable, Sendable {
  package var changes: [LookChange]

  /// The filters, by layer, that features must pass in addition to the layer's own.
  package var filters: [String: PropertyValue]

  package init(_ changes: [LookChange] = [], filters: [String: PropertyValue] = [:]) {
    self.changes = changes
    self.filters = filters
  }

  /// Returns the layers as the overlay has them; their values are checked when they are compiled.
  ///
  /// - Throws: ``PipelineError`` for a layer or a value that is not there.
  package func applied(to layers: [LayerDefinition]) throws(PipelineError) -> [LayerDefinition] {
    var layers = layers
    for change in changes {
      let places = try Self.places(of: change.layer, in: layers)
      for place in places { try layers[place].apply(change) }
    }
    for (name, filter) in filters {
      for place in try Self.places(of: name, in: layers) { layers[place].narrow(by: filter) }
    }
    return layers
  }

  /// Returns where a layer of the file is: more than once where it was divided by zooms.
  private static func places(
    of name: String, in layers: [LayerDefinition]
  ) throws(PipelineError) -> [Int] {
    let places = layers.indices.filter { layers[$0].nameInFile == name }
    guard !places.isEmpty else {
      throw PipelineError(
        .usage, "there is no layer '\(name.quotable)' by now. Load the page again.")
    }
    return places
  }
}

extension LayerDefinition {
  fileprivate mutating func apply(_ change: LookChange) throws(PipelineError) {
    let block = change.block == .layout ? \LayerDefinition.layout : \LayerDefinition.paint
    guard let index = self[keyPath: block].firstIndex(where: { $0.key == change.property }) else {
      guard change.path.isEmpty else { throw lacking(change) }
      let place = self[keyPath: block].first?.keyPlace ?? place
      self[keyPath: block].append(
        DocumentMember(
          key: change.property, keyPlace: place, node: DocumentNode(json: change.value, at: place)))
      return
    }
    guard
      let node = self[keyPath: block][index].node.replacing(change.path[...], by: change.value)
    else { throw lacking(change) }
    self[keyPath: block][index].node = node
  }

  private func lacking(_ change: LookChange) -> PipelineError {
    place.fault(
      "layer '\(id)' has no such value in '\(change.property.quotable)' by now. Load the page again."
    )
  }

  fileprivate mutating func narrow(by value: PropertyValue) {
    let new = DocumentNode(json: value, at: filter?.place ?? place)
    let both = filter.map { old in
      DocumentNode(.array([DocumentNode(.string("all"), at: old.place), old, new]), at: old.place)
    }
    filter = both ?? new
  }
}

extension DocumentNode {
  /// Returns the value with a number or a text in it replaced by another one.
  ///
  /// - Returns: `nil` if there is no value of this type.
  fileprivate func replacing(
    _ path: ArraySlice<DocumentStep>, by new: PropertyValue
  ) -> DocumentNode? {
    var changed = self
    switch (path.first, value, new) {
    case (nil, .number, .number(let number)), (nil, .whole, .number(let number)):
      changed.value = .number(number)
    case (nil, .string, .string(let text)): changed.value = .string(text)
    case (.index(let index)?, .array(var items), _) where items.indices.contains(index):
      guard let item = items[index].replacing(path.dropFirst(), by: new) else { return nil }
      items[index] = item
      changed.value = .array(items)
    case (.member(let key)?, .object(var members), _):
      guard let index = members.firstIndex(where: { $0.key == key }),
        let node = members[index].node.replacing(path.dropFirst(), by: new)
      else { return nil }
      members[index].node = node
      changed.value = .object(members)
    default: return nil
    }
    return changed
  }
}

// Overlays that a page asks for.
extension LookOverlay {
  /// The most changes, and the most steps to a value and letters of a text.
  private static let limits = (changes: 500, steps: 16, letters: 256)

  /// Creates the overlay of `{"changes": [{"layer", "block", "property", "path", "value"}],
  /// "filters": {LAYER: FILTER}}`; `nil` for anything else.
  package init?(json: PropertyValue) {
    guard case .object(let members) = json else { return nil }
    var changes: [LookChange] = []
    if case .array(let items)? = members["changes"] {
      guard items.count <= Self.limits.changes else { return nil }
      for item in items {
        guard let change = Self.change(item) else { return nil }
        changes.append(change)
      }
    }
    var filters: [String: PropertyValue] = [:]
    if case .object(let given)? = members["filters"] {
      for (layer, filter) in given {
        guard case .array = filter else { return nil }
        filters[layer] = filter
      }
    }
    self.init(changes, filters: filters)
  }

  private static func change(_ json: PropertyValue) -> LookChange? {
    guard case .object(let members) = json, case .string(let layer)? = members["layer"],
      case .string(let block)? = members["block"], let block = LookChange.Block(rawValue: block),
      case .string(let property)? = members["property"], property.utf8.allSatisfy(isLetter),
      case .array(let path)? = members["path"], path.count <= limits.steps,
      let value = members["value"], isPlain(value)
    else { return nil }
    let steps = path.compactMap { step -> DocumentStep? in
      switch step {
      case .string(let key): .member(key)
      case .number(let number): Int(exactly: number).map { .index($0) }
      default: nil
      }
    }
    guard steps.count == path.count else { return nil }
    return LookChange(
      layer: layer, block: block, property: property, path: steps, value: value)
  }

  /// Whether a byte is one of a property's name, which may be written as a key.
  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
  }

  /// Whether a value is a number, a text or a few texts.
  private static func isPlain(_ value: PropertyValue) -> Bool {
    switch value {
    case .number(let number): number.isFinite
    case .string(let text):
      text.utf8.count <= limits.letters && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
    case .array(let items):
      items.count <= 8
        && items.allSatisfy { if case .string = $0 { isPlain($0) } else { false } }
    case .null, .bool, .whole, .object: false
    }
  }
}
