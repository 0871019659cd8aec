package import Definition
import Expressions
import Ingest
import Runs
import Styling

/// The properties that a pipeline asks of the records of a source, and where it does.
struct PropertyUses {
  private struct Use {
    var name: String
    /// The key or layer that asks.
    var user: String
    var place: DocumentPlace
  }

  private var uses: [Use] = []

  /// Names that layers get from clusters.
  private var clusterNames: Set<String> = []

  /// The names, each once, in the order of the file.
  var names: [String] {
    var names: [String] = []
    for use in uses where !names.contains(use.name) { names.append(use.name) }
    return names
  }

  /// Collects what `where`, `filter`, `clusterProperties`, `featureLimit`, `line`, `interactivity` and the
  /// layers of a source ask for.
  ///
  /// What they look for with `has`, or have another value for with `coalesce`, may be missing.
  init(of source: SourceDefinition, in definition: PipelineDefinition) throws(PipelineError) {
    let records = source.records
    if let node = source.node["where"], let condition = records.conditions.first {
      for name in condition.filter.propertyNames {
        add(name, "'where'", Self.place(of: name, in: node, text: condition.text))
      }
    }
    let filters = try source.filters()
    if let node = records.filter, let filter = filters.first {
      add(filter.propertyNames, of: [node], "'filter'")
    }
    for property in source.cluster?.properties ?? [] {
      // The first part may be an operator, or an expression over the aggregate itself.
      guard let node = property.node.items?.last else { continue }
      add(node.namesRead, of: [node], "'clusterProperties'")
    }
    let aggregates = source.cluster?.properties.map(\.key) ?? []
    if source.cluster != nil {
      clusterNames = Set(
        aggregates + ["cluster", "cluster_id", "point_count", "point_count_abbreviated"])
    }
    if let limit = records.featureLimit,
      let node = source.node["featureLimit"]?["orderBy"]?.items?.first
    {
      add(limit.property, "'featureLimit'", node.place)
    }
    for key in ["by", "order"] {
      guard let node = source.node["line"]?[key], let name = node.text else { continue }
      add(name, "'line'", node.place)
    }
    // A field of taps may be that of another source.
    if definition.sources.count == 1, let taps = definition.tiles.interactivity {
      for (field, place) in zip(taps.fields ?? [], definition.tapFieldPlaces)
      where !clusterNames.contains(field) && !TapSource.ownNames.contains(field) {
        add(field, "'interactivity'", place)
      }
    }
    let style = try definition.style()
    for (layer, compiled) in zip(definition.layers, style.layers) where layer.source == source.name
    {
      let nodes = [layer.filter].compactMap(\.self) + (layer.layout + layer.paint).map(\.node)
      let names = compiled.propertyNames.filter {
        !clusterNames.contains($0) && !Self.simpleStyle.contains($0)
      }
      add(names, of: nodes, Self.user(layer))
    }
  }

  /// Names of the simplestyle specification, by which features are drawn where they have them.
  private static let simpleStyle: Set = [
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "marker-color",
    "marker-size",
  ]

  private mutating func add(_ names: [String], of nodes: [DocumentNode], _ user: String) {
    let guarded = nodes.reduce(into: Set<String>()) { $0.formUnion($1.guardedNames) }
    for name in names where !guarded.contains(name) {
      // What is written nowhere is not worth a hint: nobody could mend it.
      guard let place = nodes.lazy.compactMap({ $0.place(naming: name) }).first else { continue }
      add(name, user, place)
    }
  }

  private mutating func add(_ name: String, _ user: String, _ place: DocumentPlace) {
    guard !uses.contains(where: { $0.name == name && $0.user == user }) else { return }
    uses.append(Use(name: name, user: user, place: place))
  }

  /// Where a name stands in a condition; the condition where it is not found as a word.
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
  struct Unknown {
    let name: String
    /// See ``PropertyUses/Use/user``.
    let user: String
    /// What to say of it, with its place.
    let sentence: String
  }

  /// The names that are not among those of the records.
  ///
  /// - Parameter beginning: gives the names of the first records, all of them, among which the one
  ///   that was meant may be; asked only where it is needed.
  func unknown(
    among known: [String], beginning: () throws -> [String]
  ) rethrows -> [Unknown] {
    var present = Set(known)
    guard uses.contains(where: { !present.contains($0.name) }) else { return [] }
    let first = try beginning()
    present.formUnion(first)
    return uses.filter { !present.contains($0.name) }.map { use in
      let near = DocumentSuggestion.nearest(to: use.name, among: first)
      return Unknown(
        name: use.name, user: use.user,
        sentence: "\(use.place): \(use.user) asks for '\(use.name)', which no record has"
          + (near.map { "; did you mean '\($0)'?" } ?? "."))
    }
  }

  /// What messages call a layer that asks.
  static func user(_ layer: LayerDefinition) -> String { "layer '\(layer.id)'" }
}

extension DocumentNode {
  /// Names that an expression asks for with `has` or within `coalesce`.
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

  /// Where a text is the name, or holds it as `{name}`; the first such place that is no operator.
  fileprivate func place(naming name: String) -> DocumentPlace? {
    if let text { return text == name || text.contains("{\(name)}") ? place : nil }
    if let items {
      return items.dropFirst(items.first?.text == nil ? 0 : 1).lazy
        .compactMap { $0.place(naming: name) }.first
    }
    return members?.lazy.compactMap { $0.node.place(naming: name) }.first
  }
}
