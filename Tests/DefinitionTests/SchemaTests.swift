import Definition
import DefinitionSamples
import JSON
import Runs
import Testing

@Suite("JSON Schema of the pipeline file")
struct SchemaTests {
  fileprivate let schema = PipelineSchema.json

  @Test("the schema is of draft 2020-12 and has its version")
  func head() {
    #expect(schema["$schema"] == .string("https://json-schema.org/draft/2020-12/schema"))
    let defs = schema["$defs"]
    #expect(defs?["pipeline"]?["properties"]?["version"]?["enum"] == .array([.integer(1)]))
    #expect(defs?["style"]?["properties"]?["version"]?["enum"] == .array([.integer(8)]))
  }

  @Test("every default of the schema is that of the decoder")
  func defaults() {
    let tiles = schema["$defs"]?["pipeline"]?["properties"]?["tiles"]?["properties"]
    #expect(tiles?["minzoom"]?["default"] == .integer(0))
    #expect(tiles?["maxzoom"]?["default"] == .integer(14))
    #expect(tiles?["scale"]?["default"] == .array([.integer(1)]))
    #expect(tiles?["fill"]?["default"] == .string("children"))
  }

  @Test("the schema accepts the hotels pipeline and refuses changes of it")
  func hotels() throws {
    func isValid(_ text: String) throws -> Bool {
      SchemaProbe(root: schema).accepts(try document(text).root, schema)
    }
    #expect(try isValid(hotelsPipeline))
    #expect(try isValid(minimal))
    for (old, new) in [
      ("minzoom: 0", "minzom: 0"), ("type: csv", "type: cvs"), ("maxzoom: 16", "maxzoom: 23"),
      ("scale: [1, 2]", "scale: [1, 4]"), ("cluster: true", "cluster: 1"),
      ("clusterMaxZoom", "clusterMaxzoom"), ("{id: ring, ", "{"), ("name: us-hotels", "name: 5"),
      ("{0: 88,", "{a: 88,"),
    ] {
      #expect(hotelsPipeline.contains(old))
      #expect(try !isValid(hotelsPipeline.replacing(old, with: new)))
    }
  }
}

extension SchemaTests {
  @Test(
    "the schema accepts configs with stores and files that include, and refuses changes of them",
    arguments: [
      ("stores: [{type: geojson, uri: a}]", true),
      ("stores: [{store_type: geojson, version: \"1\", uri: a, id: b, isMainBundle: true}]", true),
      ("stores: [{type: csv.1, version: 1, uri: a, x: lon, style: {stroke: red}}]", true),
      (
        "stores: [{type: csv, uri: a, style: [{id: d, paint: {icon-color: red}}]}]\nforms: []", true
      ),
      ("stores: [{type: csv, uri: a, style: [{type: line, minzoom: 3}]}]\nversion: 1", true),
      ("version: 1\ninclude: [a.scfg]", true), ("version: 1\ninclude: a.scfg\nlayers: []", true),
      ("version: 1\ninclude: a.scfg\nsources: {}", true),
      ("stores: [{type: geojson}]", false), ("stores: [{uri: a}]", false),
      ("stores: [{type: geojson, store_type: geojson, uri: a}]", false),
      ("stores: [{type: geojson, uri: a, x: lon}]", false), ("stores: {}", false),
      ("stores: [{type: csv, uri: a, style: {strok: red}}]", false),
      ("stores: [{type: csv, uri: a}]\nsources: {}\nversion: 1", false), ("include: a.scfg", false),
      ("version: 1\ninclude: 5", false),
    ])
  func stores(text: String, isValid: Bool) throws {
    #expect(SchemaProbe(root: schema).accepts(try document(text).root, schema) == isValid)
    // The decoder and the schema agree.
    if !text.contains("include") { #expect((fault(text) == "none") == isValid) }
  }
}

/// As much of a JSON Schema validator as the schema needs.
private struct SchemaProbe {
  let root: ReportJSON

  func accepts(_ node: DocumentNode, _ schema: ReportJSON) -> Bool {
    if case .string(let reference)? = schema["$ref"] {
      let target = reference.split(separator: "/").dropFirst()
        .reduce(Optional(root)) { $0?[String($1)] }
      return target.map { accepts(node, $0) } ?? false
    }
    if case .array(let choices)? = schema["oneOf"] {
      return choices.count { accepts(node, $0) } == 1
    }
    if case .array(let choices)? = schema["anyOf"] {
      guard choices.contains(where: { accepts(node, $0) }) else { return false }
    }
    if case .array(let values)? = schema["enum"] {
      return values.contains {
        $0 == node.integer.map(ReportJSON.integer) || $0 == node.text.map(ReportJSON.string)
      }
    }
    switch schema["type"] {
    case .string("object")?: return acceptsObject(node, schema)
    case .string("array")?:
      guard let items = node.items, let item = schema["items"] else { return false }
      return items.count >= schema["minItems"]?.count ?? 0
        && items.count <= schema["maxItems"]?.count ?? .max
        && items.allSatisfy { accepts($0, item) }
    case .string("string")?: return node.text.map { !$0.isEmpty } ?? false
    case .string("boolean")?: return node.bool != nil
    case .string("integer")?: return node.integer.map { isInRange(Double($0), schema) } ?? false
    case .string("number")?: return node.number.map { isInRange($0, schema) } ?? false
    default: return true
    }
  }

  private func acceptsObject(_ node: DocumentNode, _ schema: ReportJSON) -> Bool {
    guard let members = node.members else { return false }
    if case .array(let required)? = schema["required"] {
      let isComplete = required.allSatisfy { key in
        members.contains { ReportJSON.string($0.key) == key }
      }
      guard isComplete else { return false }
    }
    return members.allSatisfy { member in
      if let own = schema["properties"]?[member.key] { return accepts(member.node, own) }
      if case .object(let patterns)? = schema["patternProperties"], let zoom = Int(member.key),
        (0...24).contains(zoom)
      {
        return accepts(member.node, patterns[0].value)
      }
      guard let rest = schema["additionalProperties"], rest != .bool(false) else { return false }
      return accepts(member.node, rest)
    }
  }

  private func isInRange(_ number: Double, _ schema: ReportJSON) -> Bool {
    number >= Double(schema["minimum"]?.count ?? .min)
      && number <= Double(schema["maximum"]?.count ?? .max)
  }
}

extension ReportJSON {
  fileprivate var count: Int? {
    if case .integer(let count) = self { count } else { nil }
  }
}
