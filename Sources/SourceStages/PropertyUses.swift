package import Definition
package import Examination
import Expressions
import Features
import Ingest
import Inputs
import RecordChanges
package import Runs
import Styling

/// The properties of a source's records that a pipeline uses, with the places of their uses.
package struct PropertyUses {
  private struct Use {
    var name: String
    /// The key or layer that uses the property.
    var user: String
    var place: DocumentPlace
    /// The comparison with the name as a text, which was probably meant if no record has it.
    var comparison: String?
  }

  private var uses: [Use] = []

  /// The uses of properties as numbers.
  package private(set) var numbers: [QuantityUsage] = []

  /// The names of properties that clusters provide to layers.
  private var clusterNames: Set<String> = []

  /// The names, each once, in the order of the file.
  var names: [String] {
    var names: [String] = []
    for use in uses where !names.contains(use.name) { names.append(use.name) }
    return names
  }

  /// Collects the properties that `where`, `filter`, `select`, `clusterProperties`, `featureLimit`,
  /// `line`, `interactivity` and the layers of a source use.
  ///
  /// Properties that they test with `has`, or replace with `coalesce`, may be missing.
  package init(of source: SourceDefinition, in definition: PipelineDefinition) throws(PipelineError)
  {
    guard let records = source.records else { return }
    if let node = source.node["where"], let condition = records.conditions.first {
      for name in condition.filter.propertyNames {
        let use = Use(
          name: name, user: "'where'", place: Self.place(of: name, in: node, text: condition.text),
          comparison: CQL2Quotes.comparison(with: name, in: condition.text))
        add(use)
        add(
          condition.filter.quantityUses[name], use, .condition(alternative: "'filter'"),
          testsRecords: true)
      }
    }
    let filters = try source.filters()
    if let node = records.filter, let filter = filters.first {
      add(filter.propertyNames, of: [node], "'filter'")
      add(filter.quantityUses, of: [node], "'filter'", testsRecords: true)
    }
    for property in records.cluster?.properties ?? [] {
      let compiled = try ClusterProperty(property)
      add(compiled.propertyNames, of: compiled.nodes, "'clusterProperties'")
      add(compiled.quantityUses, of: compiled.nodes, "'clusterProperties'")
    }
    let aggregates = records.cluster?.aggregateNames ?? []
    if records.cluster != nil {
      clusterNames = Set(
        aggregates + ["cluster", "cluster_id", "point_count", "point_count_abbreviated"])
    }
    if let limit = records.featureLimit,
      let node = source.node["featureLimit"]?["orderBy"]?.items?.first
    {
      let use = Use(name: limit.property, user: "'featureLimit'", place: node.place)
      add(use)
      add(.value, use, .name)
    }
    for key in ["by", "order", "x", "y"] {
      guard let node = source.node["line"]?[key], let name = node.text else { continue }
      let use = Use(name: name, user: "'line'", place: node.place)
      add(use)
      if key == "order", records.line?.dates == nil { add(.order, use, .name) }
      if key == "x" || key == "y" { add(.value, use, .name) }
    }
    // A field for hit tests may belong to another source.
    if definition.sources.count == 1, let taps = definition.tiles.interactivity {
      for (field, place) in zip(taps.fields ?? [], definition.tapFieldPlaces)
      where !clusterNames.contains(field) && !Interactivity.ownNames.contains(field) {
        add(Use(name: field, user: "'interactivity'", place: place))
      }
      if let node = definition.tapTextNode, let names = taps.text?.propertyNames {
        let own = clusterNames.union(Interactivity.ownNames)
        add(names.filter { !own.contains($0) }, of: [node], "'text' of 'interactivity'")
      }
    }
    for (name, node) in zip(records.select ?? [], source.node["select"]?.items ?? [])
    where !records.changes.mayGain(name) {
      add(Use(name: name, user: "'select'", place: node.place))
    }
    // A tileset is hundreds of sources, each with some of its style's layers.
    var own = definition
    own.layers = definition.layers.filter { $0.source == source.name }
    for (layer, compiled) in zip(own.layers, try own.styleLayers()) {
      let nodes = [layer.filter].compactMap(\.self) + (layer.layout + layer.paint).map(\.node)
      let names = compiled.propertyNames.filter {
        !clusterNames.contains($0) && !Self.simpleStyle.contains($0)
      }
      add(names, of: nodes, Self.user(layer))
      let quantityUses = compiled.quantityUses.filter { names.contains($0.key) }
      add(quantityUses, of: nodes, Self.user(layer))
    }
  }

  /// The names of the simplestyle specification, by which features are drawn if they have them.
  private static let simpleStyle: Set = [
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "marker-color",
    "marker-size",
  ]

  private mutating func add(_ names: [String], of nodes: [DocumentNode], _ user: String) {
    let guarded = nodes.reduce(into: Set<String>()) { $0.formUnion($1.guardedNames) }
    for name in names where !guarded.contains(name) {
      // A name that is not written in the file is not worth a hint: the user could not fix it.
      guard let place = nodes.lazy.compactMap({ $0.place(naming: name) }).first else { continue }
      add(Use(name: name, user: user, place: place))
    }
  }

  private mutating func add(
    _ uses: [String: QuantityUse], of nodes: [DocumentNode], _ user: String,
    testsRecords: Bool = false
  ) {
    for (name, use) in uses.sorted(by: { $0.key < $1.key }) {
      guard let place = nodes.lazy.compactMap({ $0.place(naming: name) }).first else { continue }
      add(
        use, Use(name: name, user: user, place: place), .expression, testsRecords: testsRecords)
    }
  }

  private mutating func add(
    _ quantity: QuantityUse?, _ use: Use, _ form: QuantityUsage.Form, testsRecords: Bool = false
  ) {
    guard let quantity else { return }
    numbers.append(
      QuantityUsage(
        QuantityRequest(use.name, quantity), user: "\(use.place): \(use.user)", form: form,
        testsRecords: testsRecords))
  }

  private mutating func add(_ use: Use) {
    guard !uses.contains(where: { $0.name == use.name && $0.user == use.user }) else { return }
    uses.append(use)
  }

  /// Returns the place of a name in a condition, or of the condition where the name is not found as
  /// a word.
  private static func place(
    of name: String, in node: DocumentNode, text: String
  ) -> DocumentPlace {
    func isPart(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_"
    }
    for range in text.ranges(of: name) {
      let before = text[..<range.lowerBound]
      if before.last.map(isPart) ?? false || text[range.upperBound...].first.map(isPart) ?? false {
        continue
      }
      let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
      return node.place(
        inTextAtLine: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1
      ).place
    }
    return node.place
  }

  /// A name that no record has.
  package struct Unknown {
    package let name: String
    /// The user of the name, see ``PropertyUses/Use/user``.
    package let user: String
    /// The hint about it, with its place.
    package let sentence: String
  }

  /// Returns the names that no record has.
  ///
  /// - Parameter beginning: returns all names of the first records, among which the intended one
  ///   may be; called only when needed.
  package func unknown(
    among known: [String], beginning: () throws -> [String]
  ) rethrows -> [Unknown] {
    var present = Set(known)
    guard uses.contains(where: { !present.contains($0.name) }) else { return [] }
    let first = try beginning()
    present.formUnion(first)
    return uses.filter { !present.contains($0.name) }.map { use in
      Unknown(
        name: use.name, user: use.user,
        sentence: "\(use.place): \(use.user) asks for '\(use.name)', which no record has"
          + (use.comparison.map { ". Quote texts: \($0)." }
            ?? NameSuggestion.question(use.name, among: first)))
    }
  }

  /// Returns the name of a layer in messages.
  package static func user(_ layer: LayerDefinition) -> String { "layer '\(layer.nameInFile)'" }
}

extension DocumentNode {
  /// The names that an expression reads with `has` or within `coalesce`.
  package var guardedNames: Set<String> {
    guard let items else {
      return (members ?? []).reduce(into: []) { $0.formUnion($1.node.guardedNames) }
    }
    switch items.first?.text {
    case "has", "!has": return Set(items.dropFirst().prefix(1).compactMap(\.text))
    case "coalesce": return Set(items.flatMap(\.namesRead))
    default: return items.reduce(into: []) { $0.formUnion($1.guardedNames) }
    }
  }

  /// The names that `get` and `has` read anywhere in an expression.
  fileprivate var namesRead: [String] {
    guard let items else { return [] }
    if items.count == 2, ["get", "has"].contains(items[0].text), let name = items[1].text {
      return [name]
    }
    return items.flatMap(\.namesRead)
  }

  /// Returns the first place where a text is the name, or contains it as `{name}`, and is not an
  /// operator.
  fileprivate func place(naming name: String) -> DocumentPlace? {
    if let text { return text == name || text.contains("{\(name)}") ? place : nil }
    if let items {
      return items.dropFirst(items.first?.text == nil ? 0 : 1).lazy
        .compactMap { $0.place(naming: name) }.first
    }
    return members?.lazy.compactMap { $0.node.place(naming: name) }.first
  }
}
