import Features
package import JSON

/// The JSON Schema (draft 2020-12) of a pipeline file, written from the tables that the decoder
/// checks against.
package enum PipelineSchema {
  /// The schema: a pipeline (`version: 1`), one that only includes others, a SpatialConnect config
  /// (`stores`) or a MapLibre style (`version: 8`).
  package static var json: ReportJSON {
    .members([
      "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
      "title": .string("Quadrille pipeline"),
      "description": .string(
        "One tileset: sources, layers and outputs. Names are the MapLibre style specification's."),
      "oneOf": .array(["pipeline", "collection", "stores", "style"].map(reference)),
      "$defs": .members([
        "pipeline": schema(PipelineKeys.pipeline),
        "collection": schema(PipelineKeys.collection),
        "stores": schema(PipelineKeys.writtenStores),
        "style": schema(PipelineKeys.style),
      ]),
    ])
  }

  private static func reference(_ name: String) -> ReportJSON {
    .members(["$ref": .string("#/$defs/\(name)")])
  }

  private static func schema(_ object: ObjectSpecification) -> ReportJSON {
    var members: [ReportJSON.Member] = [
      ReportJSON.Member("type", .string("object")),
      ReportJSON.Member(
        "properties", .object(object.keys.map { ReportJSON.Member($0.name, schema($0)) })),
      ReportJSON.Member("additionalProperties", .bool(false)),
    ]
    let required = object.keys.filter(\.isRequired).map { ReportJSON.string($0.name) }
    if !required.isEmpty { members.append(ReportJSON.Member("required", .array(required))) }
    return .object(members)
  }

  private static func schema(_ key: KeySpecification) -> ReportJSON {
    var members = [ReportJSON.Member("description", .string(key.summary))]
    members += schema(key.value)
    if let value = key.defaultValue { members.append(.init("default", ReportJSON(value))) }
    return .object(members)
  }

  private static func schema(_ value: ValueSpecification) -> [ReportJSON.Member] {
    switch value {
    case .anything: []
    case .string: [type("string"), .init("minLength", .integer(1))]
    case .boolean: [type("boolean")]
    case .integer(let range):
      [type("integer")] + limit("minimum", range.lowerBound, unless: .min)
        + limit("maximum", range.upperBound, unless: .max)
    case .number(let range):
      [
        type("number"), .init("minimum", ReportJSON(.number(range.lowerBound))),
        .init("maximum", ReportJSON(.number(range.upperBound))),
      ]
    case .percentage: [type("string"), .init("pattern", .string("^[0-9]+(\\.[0-9]+)?%$"))]
    case .choice(let choices):
      [
        .init(
          "enum",
          .array(choices.map(ReportJSON.string) + (choices.contains("null") ? [.null] : [])))
      ]
    case .numberChoice(let choices): [.init("enum", .array(choices.map(ReportJSON.integer)))]
    case .list(let item, let count):
      [type("array"), .init("items", .object(schema(item)))]
        + limit("minItems", count.lowerBound, unless: 0)
        + limit("maxItems", count.upperBound, unless: .max)
    case .object(let object): unwrap(schema(object))
    case .map(let item): [type("object"), .init("additionalProperties", .object(schema(item)))]
    case .zoomMap(let item):
      [
        type("object"),
        .init(
          "patternProperties",
          .members(["^(1?[0-9]|2[0-4])$": .object(schema(item))])),
        .init("additionalProperties", .bool(false)),
      ]
    case .typed(let types): [.init("oneOf", .array(types.types.map { schema($0.object) }))]
    case .oneOf(let choices): [.init("anyOf", .array(choices.map { .object(schema($0)) }))]
    }
  }

  private static func type(_ name: String) -> ReportJSON.Member {
    ReportJSON.Member("type", .string(name))
  }

  private static func limit(
    _ name: String, _ limit: Int, unless endless: Int
  ) -> [ReportJSON.Member] {
    limit == endless ? [] : [ReportJSON.Member(name, .integer(limit))]
  }

  private static func unwrap(_ json: ReportJSON) -> [ReportJSON.Member] {
    if case .object(let members) = json { members } else { [] }
  }
}
