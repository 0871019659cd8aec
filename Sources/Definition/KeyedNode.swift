import Features
import Runs
import Tiling

/// An object of the document that passed ``KeyCheck``, read by key; absent keys have their default.
package struct KeyedNode {
  let node: DocumentNode
  let object: ObjectSpecification

  init(_ node: DocumentNode, _ object: ObjectSpecification) {
    self.node = node
    self.object = object
  }

  /// Returns the value of a key: the file's, otherwise the default of the table.
  private func property(_ key: String) -> PropertyValue? {
    node[key]?.propertyValue ?? object.key(key)?.defaultValue
  }

  // MARK: Keys that are required or have a default

  func value(_ key: String) throws(PipelineError) -> String { try present(text(key), key) }

  func value(_ key: String) throws(PipelineError) -> Double { try present(number(key), key) }

  func value(_ key: String) throws(PipelineError) -> Int { try present(integer(key), key) }

  func value(_ key: String) throws(PipelineError) -> Bool { try present(bool(key), key) }

  func value(_ key: String) throws(PipelineError) -> [String] { try present(texts(key), key) }

  func value<Choice: RawRepresentable<String>>(_ key: String) throws(PipelineError) -> Choice {
    try present(choice(key, as: Choice.self), key)
  }

  private func present<Value>(_ value: Value?, _ key: String) throws(PipelineError) -> Value {
    guard let value else {
      throw PipelineError(.bug, "'\(key)' of \(object.title) has no default.", at: node.place)
    }
    return value
  }

  // MARK: Keys that may be absent

  func text(_ key: String) -> String? {
    if case .string(let text)? = property(key) { text } else { nil }
  }

  func number(_ key: String) -> Double? {
    property(key)?.double
  }

  func integer(_ key: String) -> Int? {
    number(key).flatMap { Int(exactly: $0) }
  }

  func bool(_ key: String) -> Bool? {
    if case .bool(let bool)? = property(key) { bool } else { nil }
  }

  /// Returns the case of an enumeration whose raw values are the key's choices; `null` without
  /// quotes is the choice of that name.
  func choice<Choice: RawRepresentable<String>>(_ key: String, as: Choice.Type) -> Choice? {
    if case .null? = property(key) { return Choice(rawValue: "null") }
    return text(key).flatMap { Choice(rawValue: $0) }
  }

  /// Returns the texts of a list; `nil` if the key is absent and has no default.
  func texts(_ key: String) -> [String]? {
    guard case .array(let items)? = property(key) else { return nil }
    return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  /// Returns the numbers of a list, or a single number as a list of one; empty if the key is absent.
  func numbers(_ key: String) -> [Double] {
    switch property(key) {
    case .number(let number)?: [number]
    case .array(let items)?:
      items.compactMap(\.double)
    default: []
    }
  }

  /// Returns the box of a list of west, south, east and north in degrees.
  func bounds(_ key: String) -> GeoBounds? {
    let edges = numbers(key)
    guard edges.count == 4 else { return nil }
    return GeoBounds(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
  }

  /// Returns the numbers of an object by its keys, which are zooms; a single number applies from
  /// zoom 0.
  func numbersByZoom(_ key: String) -> [ZoomValue] {
    switch property(key) {
    case .number(let number)?: return [ZoomValue(zoom: 0, value: number)]
    case .object(let members)?:
      let steps = members.compactMap { member -> ZoomValue? in
        guard let zoom = Int(member.key), case .number(let number) = member.value else {
          return nil
        }
        return ZoomValue(zoom: zoom, value: number)
      }
      return steps.sorted { $0.zoom < $1.zoom }
    default: return []
    }
  }

  /// Returns an object within this one, empty if it is absent.
  func object(_ key: String, _ object: ObjectSpecification) -> KeyedNode {
    KeyedNode(node[key] ?? DocumentNode(.object([]), at: node.place), object)
  }

  /// Returns the error for a key whose value contradicts others.
  func fault(_ key: String, _ message: String) -> PipelineError {
    place(of: key).fault(message)
  }

  /// Returns the place of a key, or of the object if the key is absent.
  func place(of key: String) -> DocumentPlace { node.member(key)?.keyPlace ?? node.place }
}

extension DocumentNode {
  /// The position of a list of longitude and latitude in degrees; `nil` for anything else.
  var position: LngLat? {
    guard let items, items.count == 2, let longitude = items[0].number,
      let latitude = items[1].number
    else { return nil }
    return LngLat(longitude: longitude, latitude: latitude)
  }
}
