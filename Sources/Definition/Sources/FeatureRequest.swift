import Runs

/// A URL that queries a Web Feature Service for features (`service=WFS&request=GetFeature`),
/// completed to a template of GeoJSON responses.
///
/// The box of WFS 1.0 is west, south, east, north. In later versions the box names its reference
/// system and follows its axes: latitude first where the system is spelled as a URN or as a URL of
/// OGC.
struct FeatureRequest {
  /// The reason why a URL cannot be completed, with the fix.
  struct Fault: Error {
    let message: String
  }

  /// The parameters of the URL, their names in lower case.
  private let parameters: [String: Substring]
  private let url: String

  /// - Returns: `nil` for any other URL.
  init?(_ url: String) {
    guard DataLocation.isAddress(url), let mark = url.firstIndex(of: "?") else { return nil }
    var parameters: [String: Substring] = [:]
    for pair in url[url.index(after: mark)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      parameters[parts[0].lowercased()] = parts.count == 2 ? parts[1] : ""
    }
    guard parameters["service"]?.lowercased() == "wfs",
      parameters["request"]?.lowercased() == "getfeature"
    else { return nil }
    self.parameters = parameters
    self.url = url
  }

  /// The parameters that select features, with which no box is added.
  private static let selections = [
    "bbox", "filter", "cql_filter", "featureid", "resourceid", "storedquery_id",
  ]

  /// Returns the URL completed with the format, the reference system and the box that it lacks.
  func template() throws(Fault) -> String {
    let names = ["typename", "typenames", "featureid", "resourceid", "storedquery_id"]
    guard names.contains(where: { parameters[$0]?.isEmpty == false }) else {
      throw Fault(
        message: "the GetFeature url names no layer. Add 'typeNames=LAYER' (WFS 1: 'typeName=').")
    }
    var added: [String] = []
    let version: String
    if let given = parameters["version"] {
      version = String(given)
    } else {
      version = parameters["typenames"] == nil ? "1.1.0" : "2.0.0"
      added.append("version=\(version)")
    }
    if let format = parameters["outputformat"] {
      guard format.lowercased().contains("json") else {
        throw Fault(
          message: "the GetFeature url asks for a format that is not GeoJSON. Write "
            + "'outputFormat=application/json', or leave it out.")
      }
    } else {
      added.append("outputFormat=application/json")
    }
    let system = try system()
    if parameters["srsname"] == nil { added.append("srsName=EPSG:4326") }
    if !Self.selections.contains(where: { parameters[$0] != nil }) {
      let box =
        system.isLatitudeFirst && !version.hasPrefix("1.0")
        ? "{south},{west},{north},{east}" : "{west},{south},{east},{north}"
      added.append("bbox=" + box + (version.hasPrefix("1.0") ? "" : ",\(system.name)"))
    }
    guard !added.isEmpty else { return url }
    return url + (url.hasSuffix("?") || url.hasSuffix("&") ? "" : "&")
      + added.joined(separator: "&")
  }

  /// Returns the reference system of the box, and whether its first axis is latitude.
  private func system() throws(Fault) -> (name: String, isLatitudeFirst: Bool) {
    guard let given = parameters["srsname"] else { return ("urn:ogc:def:crs:EPSG::4326", true) }
    let name = given.lowercased().replacing("%3a", with: ":").replacing("%2f", with: "/")
    if name.contains("crs84") || name.contains("crs:84") { return (String(given), false) }
    guard
      name.hasSuffix(":4326") || name.hasSuffix("/4326") || name.hasSuffix("#4326")
        || name.hasSuffix("%234326")
    else {
      throw Fault(
        message: "the GetFeature url asks for positions that are not in degrees. Write "
          + "'srsName=EPSG:4326', or leave it out.")
    }
    return (String(given), name.hasPrefix("urn:") || name.contains("/def/crs/"))
  }
}

extension DocumentNode {
  /// Returns a GeoJSON source whose URL is a GetFeature request with the completed template; any
  /// other source unchanged.
  ///
  /// - Parameter paths: the resolver of a URL that is relative to the pipeline's own.
  func completingFeatureRequest(_ paths: DefinitionPaths) throws(PipelineError) -> DocumentNode {
    guard self["type"]?.text?.prefix(while: { $0 != "." }) == "geojson",
      let data = member("data"), let text = data.node.text,
      let request = FeatureRequest(paths.address(text))
    else { return self }
    do throws(FeatureRequest.Fault) {
      return replacing("data", with: try request.template())
    } catch {
      throw data.node.place.fault(error.message)
    }
  }

  /// Returns the object with another text for one of its members.
  func replacing(_ key: String, with text: String) -> DocumentNode {
    var members = members ?? []
    for index in members.indices where members[index].key == key {
      members[index].node.value = .string(text)
    }
    var node = self
    node.value = .object(members)
    return node
  }
}
