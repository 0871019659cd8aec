import Runs

/// A conversion of a store of the type `wfs` to stores of GeoJSON, one for each layer of the
/// service.
///
/// SpatialConnect queries such a service layer by layer (`default_layers`) with GetFeature requests
/// that are answered with GeoJSON; ``FeatureRequest`` adds the parameters that those lack.
enum FeatureServiceStore {
  static let type = "wfs"

  /// The supported versions of the service, the one of SpatialConnect first.
  static let versions = ["1.1.0", "1.0.0", "2.0.0", "2.0.2"]

  /// Returns the stores that replace a store.
  ///
  /// - Returns: `nil` for a store of another type, and for one whose keys ``KeyCheck`` refuses.
  static func stores(for node: DocumentNode) throws(PipelineError) -> [DocumentNode]? {
    guard let members = node.members, let typeMember = typeMember(of: node),
      let type = typeMember.node.text, type.prefix(while: { $0 != "." }) == Self.type,
      let uri = node["uri"]?.text
    else { return nil }
    let version = try version(of: node, type: type)
    let isWhole = FeatureRequest(uri) != nil
    var layers: [DocumentNode?] = node["default_layers"]?.items ?? []
    if layers.isEmpty {
      guard isWhole else {
        throw node.place.fault(
          "a wfs store names the layers of its service. List them in 'default_layers'.")
      }
      layers = [nil]
    }
    let named = members.first { $0.key == "id" || $0.key == "name" }
    let id =
      named.map { $0.node.text ?? $0.node.integer.map { "\($0)" } ?? "" }
      ?? StoresForm.stem(of: uri)
    return layers.map { layer in
      var store: [DocumentMember] = members.filter {
        !["version", "default_layers"].contains($0.key)
      }
      for index in store.indices {
        switch store[index].key {
        case typeMember.key: store[index].node.value = .string("geojson")
        case "uri" where !isWhole:
          store[index].node.value = .string(
            Self.url(uri, version: version, layer: layer?.text ?? ""))
        case "id", "name":
          guard layers.count > 1, let layer else { break }
          store[index].node.value = .string("\(id)/\(layer.text ?? "")")
        default: break
        }
      }
      if named == nil, layers.count > 1, let layer {
        let name = DocumentNode(.string("\(id)/\(layer.text ?? "")"), at: layer.place)
        store.append(DocumentMember(key: "id", keyPlace: layer.place, node: name))
      }
      return DocumentNode(.object(store), at: node.place)
    }
  }

  private static func typeMember(of node: DocumentNode) -> DocumentMember? {
    node.member("type") ?? node.member("store_type")
  }

  private static func version(
    of node: DocumentNode, type: String
  ) throws(PipelineError) -> String {
    let suffix = type.firstIndex(of: ".").map { String(type[type.index(after: $0)...]) }
    guard let version = node["version"]?.text ?? suffix else { return versions[0] }
    guard versions.contains(version) else {
      throw PipelineError(
        .definition,
        "a wfs store has the version of its service, one of \(versions.joined(separator: ", ")).",
        at: node.member("version")?.node.place ?? node.place)
    }
    return version
  }

  /// Returns the GetFeature request for a layer.
  private static func url(_ uri: String, version: String, layer: String) -> String {
    let base = uri.prefix { $0 != "#" }
    let joint = !base.contains("?") ? "?" : base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
    let name = version.hasPrefix("2") ? "typeNames" : "typeName"
    return base + joint + "service=WFS&version=\(version)&request=GetFeature&\(name)=\(layer)"
  }
}
