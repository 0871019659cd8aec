import Runs

/// A url that asks a Web Feature Service for features (`service=WFS&request=GetFeature`), completed
/// to a template of GeoJSON answers.
///
/// The box of WFS 1.0 is west, south, east, north; that of later versions names its reference system
/// and follows the axes of that: latitude first where it is spelled as a URN or as a url of OGC.
struct FeatureRequest {
  /// Why a url cannot be completed, with what to write.
  struct Fault: Error {
    let message: String
  }

  /// The parameters as they stand in the url, their names in small letters.
  private let parameters: [String: Substring]
  private let url: String

  /// - Returns: nil for any other url.
  init?(_ url: String) {
    guard url.hasPrefix("http://") || url.hasPrefix("https://"),
      let mark = url.firstIndex(of: "?")
    else { return nil }
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

  /// The parameters that say which features are wanted, so that no box is added.
  private static let selections = [
    "bbox", "filter", "cql_filter", "featureid", "resourceid", "storedquery_id",
  ]

  /// The url with what it lacks: the format, the reference system and the box.
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

  /// The reference system of the box, and whether its first axis is latitude.
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
  /// A GeoJSON source whose url is a GetFeature request, with the template that it stands for; any
  /// other source as it is.
  ///
  /// - Parameter paths: what a url that is relative to the pipeline's own begins with.
  func completingFeatureRequest(_ paths: DefinitionPaths) throws(PipelineError) -> DocumentNode {
    guard self["type"]?.text?.prefix(while: { $0 != "." }) == "geojson",
      let data = member("data"), let text = data.node.text,
      let request = FeatureRequest(paths.address(text))
    else { return self }
    do throws(FeatureRequest.Fault) {
      return replacing("data", with: try request.template())
    } catch {
      throw PipelineError(.definition, error.message, at: data.node.place)
    }
  }

  /// The same object with another text for a member that it has.
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
