import Features
import Files
import Testing

@testable import Overlays

@Suite struct CapabilitiesTests {
  private static let document = """
    {"Layers": {"@type": "Observation", "Layer": [
      {"@displayName": "Rainfall", "Service": {"@name": "WMS", "LayerName": "RADAR UK",
        "ImageFormat": "png", "Times": {"Time": ["2014-01-19T06:15:00", "2014-01-19T06:00:00"]}}},
      {"@displayName": "Lightning", "Service": {"LayerName": "ATDNET", "ImageFormat": "gif",
        "Times": {"Time": "2014-01-19T06:00:00"}}},
      {"@displayName": "Pressure", "Service": {"LayerName": "Rainfall_F", "ImageFormat": "png",
        "Timesteps": {"@defaultTime": "2014-01-19T00:00:00", "Timestep": [0, 3, "6"]}}},
      {"@displayName": "Broken", "Service": {"LayerName": "B", "ImageFormat": "png",
        "Times": {"Time": ["sesame"]}}},
      {"@displayName": "Empty", "Service": {"LayerName": "E", "ImageFormat": "png"}}
    ]}}
    """

  private func entries(
    _ layer: String, _ template: String, key: String? = "sesame"
  ) throws -> [FrameEntry] {
    try FrameSource.capabilities(
      try seriesJSON(Self.document), name: "capabilities.json", layer: layer,
      template: try FrameTemplate(template), secret: key.flatMap(SeriesSecret.init)
    ).entries()
  }

  @Test(arguments: [
    (
      "Rainfall", "http://x/{layer}/{format}?TIME={time}&key={key}",
      ["http://x/RADAR%20UK/png?TIME=2014-01-19T06:15:00Z&key=sesame"]
    ),
    ("RADAR UK", "http://x/{time:%Y%m%d/%H%M}.{format}", ["http://x/20140119%2F0615.png"]),
    ("Lightning", "http://x/{time}", ["http://x/2014-01-19T06:00:00Z"]),
    ("Lightning", "http://x/{time:%FT%T}", ["http://x/2014-01-19T06:00:00"]),
    (
      "Pressure", "http://x/{layer}?RUN={run}&FORECAST={timestep}",
      [
        "http://x/Rainfall_F?RUN=2014-01-19T00:00:00Z&FORECAST=0",
        "http://x/Rainfall_F?RUN=2014-01-19T00:00:00Z&FORECAST=3",
        "http://x/Rainfall_F?RUN=2014-01-19T00:00:00Z&FORECAST=6",
      ]
    ),
    ("Pressure", "http://x/{run:%H}/{time:%H}", ["http://x/00/00", "http://x/00/03"]),
  ])
  func `capabilities give the address of every frame`(
    layer: String, template: String, urls: [String]
  ) throws {
    let made = try entries(layer, template).map { entry in
      if case .url(let url) = entry.location { url.revealed() } else { "" }
    }
    #expect(Array(made.prefix(urls.count)) == urls)
  }

  @Test func `a forecast has the time of its run and the hours after it`() throws {
    let forecast = try entries("Pressure", "{timestep}")
    #expect(
      forecast.map(\.time.fileName) == ["2014-01-19T0000Z", "2014-01-19T0300Z", "2014-01-19T0600Z"])
    #expect(try forecast.allSatisfy { $0.run == (try time("2014-01-19")) })
  }

  @Test(arguments: [
    ("Snow", "{time}", "there is no layer 'Snow'; the layers are 'Rainfall', 'Lightning'"),
    ("Rainfall", "{timestep}", "the layer is no forecast"),
    ("Rainfall", "{run}{time}", "the layer is no forecast"),
    ("Broken", "{time}", "Layers.Layer[3].Service.Times.Time[0]: '{key}' is no time"),
    ("Empty", "{time}", "Layers.Layer[4].Service has neither 'Times' nor 'Timesteps'"),
    ("Rainfall", "http://x/{layer}", "neither {time} nor {timestep}"),
    ("Rainfall", "http://x/{time", "not closed"), ("Rainfall", "{time}{sesame}", "unknown"),
    ("Rainfall", "{time:%Q}", "%Q, which is unknown"), ("Rainfall", "{key:x}{time}", "unknown"),
  ])
  func `unsuitable capabilities are reported without the key`(
    layer: String, template: String, reason: String
  ) {
    do {
      _ = try entries(layer, template)
      Issue.record("no error")
    } catch {
      #expect("\(error)".contains(reason), "\(error)")
      #expect(!"\(error)".contains("sesame"))
    }
  }

  static let baseURLs: [(json: String, layer: String, first: String)] = [
    (
      #"{"@forServiceTimeFormat": "ISO", "$": "http://x/{LayerName}/{ImageFormat}?TIME={Time}Z&key={key}"}"#,
      "Rainfall", "http://x/RADAR%20UK/png?TIME=2014-01-19T06:15:00Z&key=sesame"
    ),
    (
      #""http://x/{LayerName}?RUN={DefaultTime}Z&FORECAST={Timestep}""#, "Pressure",
      "http://x/Rainfall_F?RUN=2014-01-19T00:00:00Z&FORECAST=0"
    ),
  ]

  @Test(arguments: baseURLs)
  func `the BaseUrl of capabilities is a template`(json: String, layer: String, first: String)
    throws
  {
    let text = Self.document.replacing(#""@type": "Observation","#, with: #""BaseUrl": \#(json),"#)
    let document = try CapabilitiesDocument(try seriesJSON(text), name: "c.json")
    let entries = try document.entries(
      layer: layer, template: try document.template(), secret: SeriesSecret("sesame"))
    guard case .url(let url)? = entries.first?.location else {
      Issue.record("no url")
      return
    }
    #expect(url.revealed() == first)
  }

  @Test(arguments: [
    ("null", "no 'Layers.BaseUrl'"), (#""in/{Time}.png""#, "is no http(s) address"),
    (#""http://x/{LayerName}""#, "neither {time} nor {timestep}"), ("3", "string is needed"),
  ])
  func `a BaseUrl that gives no addresses is refused`(json: String, says: String) throws {
    let text = Self.document.replacing(#""@type": "Observation","#, with: #""BaseUrl": \#(json),"#)
    let document = try CapabilitiesDocument(try seriesJSON(text), name: "c.json")
    #expect(refusal { () throws(SeriesError) in try document.template() }.contains(says))
  }

  @Test func `a template with a key placeholder needs a key`() {
    #expect(throws: SeriesError.self) { try entries("Rainfall", "{time}{key}", key: nil) }
    #expect(throws: SeriesError.self) { try entries("Rainfall", "{time}{key}", key: "") }
  }

  @Test(arguments: ["sesame", "a b&c=d/é", "RADAR", "%41", "{key}"])
  func `the key of a service appears nowhere`(key: String) throws {
    let frames = try entries("Rainfall", "http://x/{layer}?TIME={time}&key={key}", key: key)
    let encoded = PercentEncoding.encode(key)
    var shown = "\(frames)" + String(reflecting: frames)
    dump(frames, to: &shown)
    dump(SeriesSecret(key), to: &shown)
    shown += "\(String(describing: SeriesSecret(key)))"
    var options = SeriesOptions()
    options.onDuplicate = .refuse
    shown += refusal { () throws(SeriesError) in
      try FrameSeries(frames + frames, options: options)
    }
    // `RADAR` is a part of the layer's name, which is hidden with it.
    if key != "{key}" {
      #expect(!shown.contains("key=" + encoded) && !shown.contains(key))
    }
    guard case .url(let url) = frames[0].location else {
      Issue.record("the frame has no url")
      return
    }
    #expect(url.revealed().hasSuffix("&key=\(encoded)"))
    #expect(url.description.hasSuffix("&key={key}"))
  }

  @Test(arguments: [
    "{}", #"{"Layers": 3}"#, #"{"Layers": {"Layer": [3]}}"#, #"{"Layers": {"Layer": [{}]}}"#,
    #"{"Layers": {"Layer": {"@displayName": "R", "Service": {"LayerName": "R"}}}}"#,
    #"{"Layers": {"Layer": {"@displayName": "R", "Service": {"LayerName": 3}}}}"#,
  ])
  func `a capabilities document of another form is refused`(text: String) throws {
    let source = FrameSource.capabilities(
      try seriesJSON(text), name: "c.json", layer: "R", template: try FrameTemplate("{time}"),
      secret: nil)
    #expect(
      refusal { () throws(SeriesError) in try source.entries() }.hasPrefix("c.json: "))
  }

  @Test(arguments: [1e300, -1e300, 1e-9, 90_000_000])
  func `forecast hours beyond the calendar are refused`(hours: Double) throws {
    let text = #"""
      {"Layers": {"Layer": {"@displayName": "R", "Service": {"LayerName": "R", "ImageFormat": "p",
      "Timesteps": {"@defaultTime": "2014-01-19", "Timestep": \#(hours)}}}}}
      """#
    let source = FrameSource.capabilities(
      try seriesJSON(text), name: "c.json", layer: "R", template: try FrameTemplate("{time}"),
      secret: nil)
    #expect(throws: SeriesError.self) { try source.entries() }
  }

  @Test(arguments: [
    ("https://me:pass@x.org/a?b=@", "https://…@x.org/a?b=@"), ("https://x.org/a@b", nil),
    ("https://me@x.org", "https://…@x.org"), ("rain/@2x.png", nil), ("http://", nil), ("", nil),
    ("https://a@b:c@x.org?d@e", "https://…@x.org?d@e"),
  ])
  func `a password in an address is not shown`(address: String, shown: String?) {
    #expect(RedactedURL(address).description == shown ?? address)
    #expect(RedactedURL(address).revealed() == address)
  }
}
