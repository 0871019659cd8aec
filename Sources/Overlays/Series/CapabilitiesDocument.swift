package import Features
import JSON

/// The capabilities of a weather map service: its layers and the times of each.
///
/// Its form is `Layers.Layer[]`, each with `@displayName`,
/// `Service.LayerName`, `Service.ImageFormat` and either `Service.Times.Time[]` (observations) or
/// `Service.Timesteps` with `@defaultTime` and `Timestep[]` in hours (forecasts). `Layers.BaseUrl`,
/// a text or an object with it under `$`, is the service's own template.
package struct CapabilitiesDocument: Hashable, Sendable {
  /// The times of the images of a layer.
  package enum Times: Hashable, Sendable {
    case observed([FrameTime])
    /// The model run, and the hours after it.
    case forecast(run: FrameTime, hours: [Double])
  }

  package struct Layer: Hashable, Sendable {
    /// The human-readable name; the pipeline may use this or ``name``.
    package let displayName: String

    /// The service's name for the layer.
    package let name: String

    /// The image format, such as `png`.
    package let format: String

    package let times: Times
  }

  private let layers: [DocumentValue]
  private let baseURL: DocumentValue?

  /// The document's name in messages.
  private let name: String

  /// Reads only the layers' names; the times are read when a layer is requested.
  ///
  /// - Throws: ``SeriesError`` if the document does not have this form.
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

  /// Returns the service's own template of image addresses.
  ///
  /// - Throws: ``SeriesError`` if the document has no valid template.
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

  /// Returns the layer with a display name, or otherwise with a service name.
  ///
  /// - Throws: ``SeriesError`` that lists the existing layers, or says what the layer lacks.
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

  /// Returns a number, or the number that a text spells.
  private static func hours(_ step: DocumentValue) throws(SeriesError) -> Double {
    guard case .string(var text) = step.value else { return try step.number() }
    guard let hours = text.withUTF8({ NumberGrammar.parse(UnsafeRawBufferPointer($0)) }) else {
      throw step.refused("is no number of hours")
    }
    return hours
  }

  /// Returns the frames of a layer, in the order of the document.
  ///
  /// ``FrameSource`` redacts the secret in errors thrown here.
  ///
  /// - Throws: ``SeriesError`` if the layer does not exist, or the template does not fit it.
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
