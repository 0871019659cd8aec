package import Features
import JSON

/// The capabilities of a service of weather maps: which layers it has, and which times of each.
///
/// The form is that of BEHAVIOUR D1: `Layers.Layer[]`, each with `@displayName`,
/// `Service.LayerName`, `Service.ImageFormat` and either `Service.Times.Time[]` (observations) or
/// `Service.Timesteps` with `@defaultTime` and `Timestep[]` in hours (forecasts). `Layers.BaseUrl`,
/// a text or an object with it under `$`, is the service's own template.
package struct CapabilitiesDocument: Hashable, Sendable {
  /// When the images of a layer are of.
  package enum Times: Hashable, Sendable {
    case observed([FrameTime])
    /// When the model ran, and hours after that.
    case forecast(run: FrameTime, hours: [Double])
  }

  package struct Layer: Hashable, Sendable {
    /// What people call it; the pipeline may name it by this or by ``name``.
    package let displayName: String

    /// What the service calls it.
    package let name: String

    /// Such as `png`.
    package let format: String

    package let times: Times
  }

  private let layers: [DocumentValue]
  private let baseURL: DocumentValue?

  /// What messages call the document.
  private let name: String

  /// Looks at the layers' names only; the times are read of the layer that is asked for.
  ///
  /// - Throws: ``SeriesError`` where the document has not the form.
  package init(_ document: PropertyValue, name: String) throws(SeriesError) {
    self.name = name
    do throws(SeriesError) {
      let root = try DocumentValue(document).required("Layers")
      layers = try root.required("Layer").elements()
      baseURL = root.member("BaseUrl")
    } catch {
      throw error.at(name)
    }
  }

  /// The service's own template of the addresses of images.
  ///
  /// - Throws: ``SeriesError`` where the document has none, or none that makes addresses.
  package func template() throws(SeriesError) -> FrameTemplate {
    guard let baseURL else {
      throw SeriesError(
        .badPattern, "\(name): the capabilities have no 'Layers.BaseUrl'; set 'template'.")
    }
    do throws(SeriesError) {
      let text = try (baseURL.member("$", "#text") ?? baseURL).text()
      let template = try FrameTemplate(text)
      let start = template.start.lowercased()
      guard start.hasPrefix("http://") || start.hasPrefix("https://") else {
        throw baseURL.refused("is no http(s) address; set 'template'")
      }
      return template
    } catch {
      throw error.at(name)
    }
  }

  /// The layer of a display name, else of a service name.
  ///
  /// - Throws: ``SeriesError`` that lists the layers there are, or says what the layer lacks.
  package func layer(_ wanted: String) throws(SeriesError) -> Layer {
    do throws(SeriesError) {
      var names: [String] = []
      var byServiceName: DocumentValue?
      for layer in layers {
        let displayName = try layer.member("@displayName").map { member throws(SeriesError) in
          try member.text()
        }
        let serviceName = try layer.required("Service").required("LayerName").text()
        if displayName == wanted { return try Self.read(layer) }
        if serviceName == wanted, byServiceName == nil { byServiceName = layer }
        names.append(displayName ?? serviceName)
      }
      if let byServiceName { return try Self.read(byServiceName) }
      let shown = names.prefix(20).map { "'\($0.prefix(60))'" }.joined(separator: ", ")
      throw SeriesError(
        .notFound, "there is no layer '\(wanted)'; the layers are \(shown).")
    } catch {
      throw error.at(name)
    }
  }

  private static func read(_ layer: DocumentValue) throws(SeriesError) -> Layer {
    let service = try layer.required("Service")
    let name = try service.required("LayerName").text()
    let displayName = try layer.member("@displayName").map { member throws(SeriesError) in
      try member.text()
    }
    return Layer(
      displayName: displayName ?? name, name: name,
      format: try service.required("ImageFormat").text(), times: try times(of: service))
  }

  private static func times(of service: DocumentValue) throws(SeriesError) -> Times {
    if let times = service.member("Times") {
      let listed = try times.required("Time").elements()
      try SeriesLimits().check(frames: listed.count)
      return .observed(try listed.map { time throws(SeriesError) in try time.time() })
    }
    guard let steps = service.member("Timesteps") else {
      throw service.refused("has neither 'Times' nor 'Timesteps'")
    }
    let listed = try steps.required("Timestep").elements()
    try SeriesLimits().check(frames: listed.count)
    return .forecast(
      run: try steps.required("@defaultTime").time(),
      hours: try listed.map { step throws(SeriesError) in try hours(step) })
  }

  /// A number, or a text that is one.
  private static func hours(_ step: DocumentValue) throws(SeriesError) -> Double {
    guard case .string(var text) = step.value else { return try step.number() }
    guard let hours = text.withUTF8({ NumberGrammar.parse(UnsafeRawBufferPointer($0)) }) else {
      throw step.refused("is no number of hours")
    }
    return hours
  }

  /// The frames of a layer, in the order of the document.
  ///
  /// ``FrameSource`` hides the secret in what this throws.
  ///
  /// - Throws: ``SeriesError`` where the layer is not there, or the template does not suit it.
  func entries(
    layer wanted: String, template: FrameTemplate, secret: SeriesSecret? = nil
  ) throws(SeriesError) -> [FrameEntry] {
    let layer = try layer(wanted)
    switch layer.times {
    case .observed(let times):
      return try times.map { time throws(SeriesError) in
        try entry(layer, template, secret, time: time)
      }
    case .forecast(let run, let hours):
      return try hours.map { step throws(SeriesError) in
        guard let time = FrameTime(run: run, hours: step) else {
          throw SeriesError(.badTime, "\(step) hours after \(run) is no time.")
        }
        return try entry(layer, template, secret, time: time, run: run, hours: step)
      }
    }
  }

  private func entry(
    _ layer: Layer, _ template: FrameTemplate, _ secret: SeriesSecret?, time: FrameTime,
    run: FrameTime? = nil, hours: Double? = nil
  ) throws(SeriesError) -> FrameEntry {
    let url = try template.url(
      .init(
        layer: layer.name, format: layer.format, time: time, run: run,
        timestep: hours.map(SeriesJSONText.number)),
      secret: secret)
    let title = secret.map { $0.hidden(in: layer.displayName) } ?? layer.displayName
    return FrameEntry(
      time: time, location: .url(url), place: "\(title) of \(time)", run: run)
  }
}
