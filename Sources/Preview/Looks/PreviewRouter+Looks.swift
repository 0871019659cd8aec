import Definition
import Ingest
import JSON
import Runs
import SystemPackage

// The answers about looks that the page changes.
extension PreviewRouter {
  /// Returns the pipeline of a tileset, whose look the page shows; `nil` if it is not at hand.
  func look(of tileset: PreviewTileset) -> PipelineLook? {
    guard isLive, let first = tileset.files.first else { return nil }
    if let file = looks?.file(of: tileset.id) { return PipelineLook(file: FilePath(file)) }
    if painted[tileset.id] != nil { return nil }
    return PipelineLook(report: tileset.companion(".report.json", of: first))
  }

  /// Answers `POST /tilesets/ID/look.json`, which paints a changed look,
  /// `POST /tilesets/ID/keep.json`, which writes it into the pipeline's file, and
  /// `POST /tilesets/ID/draft.json`, `{"look": NAME}`, which drafts it anew.
  ///
  /// The request needs the page's token and, where a browser tells its page, this server's own.
  func change(_ request: PreviewRequest, host: String, _ looks: LookDesk) -> PreviewAnswer {
    guard request.token == looks.token,
      request.origin.map({ $0.lowercased() == "http://\(host)" }) ?? true
    else {
      return PreviewAnswer(status: 403, "Only the page of this preview may change a look.")
    }
    guard let names = request.names, names.count == 3, names[0] == "tilesets",
      ["look.json", "keep.json", "draft.json"].contains(names[2]),
      let tileset = tilesets.first(where: { $0.id == names[1] }), let look = look(of: tileset)
    else { return Self.missing }
    guard let json = try? JSONValueParser.parse(request.body),
      let overlay = LookOverlay(json: json)
    else { return PreviewAnswer(status: 400, "The body is no change of a look.") }
    do throws(PipelineError) {
      switch names[2] {
      case "look.json":
        return PreviewAnswer(PreviewContent(json: changed(tileset, overlay, look, looks)))
      case "draft.json":
        try looks.redraft(look, as: ReportJSON(json)["look"]?.text)
        return PreviewAnswer(PreviewContent(json: looks.choice(of: look) ?? .null))
      default: break
      }
      let version = ReportJSON(json)["version"]?.text ?? ""
      try looks.keep(overlay.changes, of: look, version: version)
      return PreviewAnswer(
        PreviewContent(json: .members(["file": .string(looks.target(of: look))])))
    } catch {
      return PreviewAnswer(status: error.code == .usage ? 409 : 422, Self.sentence(error))
    }
  }

  /// Returns an error with its place, without the machine's folders.
  private static func sentence(_ error: PipelineError) -> String {
    var error = error
    if let file = error.place?.file {
      error.place?.file = FilePath(file).lastComponent?.string ?? ""
    }
    return "\(error)"
  }

  /// Returns the entry of a tileset in a changed look, or why it cannot be painted, and the difference
  /// of its file, or why that cannot be changed.
  private func changed(
    _ tileset: PreviewTileset, _ overlay: LookOverlay, _ look: PipelineLook, _ looks: LookDesk
  ) -> ReportJSON {
    func told(_ body: () throws -> ReportJSON) -> (value: ReportJSON, failure: ReportJSON) {
      do {
        return (try body(), .null)
      } catch {
        return (.null, .string(Self.sentence(PipelineError(wrapping: error))))
      }
    }
    let entry = told {
      let (key, tiles) = try looks.paint(overlay, of: look.file.string)
      return tiles.description.entry(of: PreviewTileset(tileset, look: key))
    }
    let difference = told {
      guard !overlay.changes.isEmpty else { return .string("") }
      return .string(try LookEdit(overlay.changes, in: try look.definition()).difference)
    }
    return .members([
      "entry": entry.value, "failure": entry.failure, "difference": difference.value,
      "refusal": difference.failure,
    ])
  }

  /// Returns the picture of a view of a tileset whose pipeline is at hand.
  func picture(
    _ name: String, _ request: PreviewRequest, for client: PreviewClient
  ) throws -> PreviewContent? {
    guard let view = PicturedView(request), let (tileset, painted) = addressed(name) else {
      return nil
    }
    let tiles = try painted ?? look(of: tileset).flatMap { try looks?.base(of: $0.file.string) }
    return try tiles.map { PreviewContent(.png, try $0.picture(of: view, for: client)) }
  }
}
