import Overlays
import Runs
import SystemPackage

/// Decodes the keys of image series.
extension SourceDecoder {
  func series(_ keyed: KeyedNode) throws(PipelineError) -> SeriesDefinition {
    let pattern = try keyed.node["time"].map { node throws(PipelineError) in
      try Self.checked(at: node) { () throws(SeriesError) in try TimePattern(node.text ?? "") }
    }
    var options = SeriesOptions()
    options.onMissing = try keyed.value("onMissing")
    options.onDuplicate = try keyed.value("onDuplicate")
    options.every = keyed.integer("every").map { Int64($0) }
    options.keep = keyed.integer("keep")
    var presentation = try presentation(keyed)
    let frames = try frames(keyed, pattern: pattern)
    if case .capabilities(let capabilities) = frames { presentation.layer = capabilities.layer }
    return SeriesDefinition(
      frames: frames, image: try image(keyed, of: frames), pattern: pattern, options: options,
      presentation: presentation, folder: paths.folder.string,
      place: keyed.node.member("frames")?.keyPlace ?? keyed.node.place)
  }

  /// Decodes how the frames of images or records are played.
  func presentation(_ keyed: KeyedNode) throws(PipelineError) -> FramePresentation {
    var presentation = FramePresentation()
    presentation.frameDuration = try keyed.value("frameDuration")
    presentation.loops = try keyed.value("loop")
    presentation.defaultFrame = try defaultFrame(keyed)
    return presentation
  }

  private func defaultFrame(
    _ keyed: KeyedNode
  ) throws(PipelineError) -> FramePresentation.DefaultFrame {
    switch try keyed.value("default") as String {
    case "first": return .first
    case "latest": return .latest
    case let text:
      return .at(
        try Self.checked(at: keyed.node["default"] ?? keyed.node) { () throws(SeriesError) in
          try FrameTime(iso8601: text)
        })
    }
  }

  private func frames(
    _ keyed: KeyedNode, pattern: TimePattern?
  ) throws(PipelineError) -> SeriesDefinition.Frames {
    guard let member = keyed.node.member("frames") else {
      throw PipelineError(.bug, "a series was not checked.", at: keyed.node.place)
    }
    let node = member.node
    if let text = node.text { return try frames(text, member, keyed, pattern: pattern) }
    if let items = node.items {
      return .list(
        items.map { item in
          ListedFrame(
            image: paths.address(item.text ?? item["image"]?.text ?? ""), time: item["time"]?.text,
            place: item.place.description)
        })
    }
    if pattern != nil {
      throw keyed.fault("time", "'time' has no use here: the capabilities document has the times.")
    }
    return .capabilities(try capabilities(node))
  }

  /// Decodes a glob, or the path of a `frames.json`.
  private func frames(
    _ text: String, _ member: DocumentMember, _ keyed: KeyedNode, pattern: TimePattern?
  ) throws(PipelineError) -> SeriesDefinition.Frames {
    let location = try paths.location(text, key: member)
    let isJSON = text.hasSuffix(".json")
    let isGlob = text.contains { "*?[".contains($0) }
    if case .url = location, !isJSON || isGlob {
      throw member.node.place.fault(
        "a url names one file, and 'frames' needs many: list the urls, or name a "
          + "frames.json.")
    }
    if isJSON, !isGlob { return .document(location) }
    let glob = try Self.checked(at: member.node) { () throws(SeriesError) in try FileGlob(text) }
    if isJSON { return .sidecars(glob) }
    guard pattern != nil else {
      throw keyed.fault(
        "frames",
        "a glob needs 'time', the pattern of the instants in the names, such as "
          + "\"%Y-%m-%dT%H%MZ\".")
    }
    return .files(glob)
  }

  private func capabilities(
    _ node: DocumentNode
  ) throws(PipelineError) -> SeriesDefinition.Capabilities {
    guard let document = node.member("capabilities") else {
      throw PipelineError(.bug, "the frames of a series were not checked.", at: node.place)
    }
    return SeriesDefinition.Capabilities(
      document: try paths.location(document.node.text ?? "", key: document),
      layer: node["layer"]?.text ?? "",
      template: try node["template"].map { template throws(PipelineError) in
        try Self.checked(at: template) { () throws(SeriesError) in
          try FrameTemplate(paths.address(template.text ?? ""))
        }
      },
      secret: node["key"]?.text.flatMap { SeriesSecret($0) })
  }

  /// Returns the value that a text is read as; an error gets its place.
  private static func checked<Value>(
    at node: DocumentNode, _ read: () throws(SeriesError) -> Value
  ) throws(PipelineError) -> Value {
    do {
      return try read()
    } catch {
      throw node.place.fault(error.message)
    }
  }
}

extension SourceDefinition {
  /// The key of a series' service, which must never be shown.
  var secretText: String? { node["frames"]?["key"]?.text }
}
