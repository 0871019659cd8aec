import Foundation
import JSON
import Runs
package import TileCodecs

/// The maximum number of bytes of an archive, from which its highest zoom and its format follow.
package struct TileBudget: Hashable, Sendable {
  /// The bytes of the archive of each pixel density.
  package let bytes: Int

  /// The permitted formats, the one with the best pictures first; not empty.
  package let codecs: [TileCodec]

  /// The metadata key under which an archive records the choice.
  package static let key = "quadrille:budget"

  /// The highest zoom and the format that fit a budget.
  package struct Choice: Hashable, Sendable, Codable {
    /// The highest zoom of the archive, and the one that the pipeline asks for.
    package var maxzoom: Int
    package var wanted: Int

    /// The index of the format in ``codecs``.
    package var format: Int

    /// The estimated bytes of the archive, and those without a budget.
    package var bytes: Int
    package var unlimited: Int

    package init(maxzoom: Int, wanted: Int, format: Int, bytes: Int, unlimited: Int) {
      self.maxzoom = maxzoom
      self.wanted = wanted
      self.format = format
      self.bytes = bytes
      self.unlimited = unlimited
    }

    /// Parses the text that an archive holds; `nil` for any other.
    package init?(_ text: String) {
      guard let choice = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
        return nil
      }
      self = choice
    }

    /// The text for an archive's metadata.
    package var text: String {
      ReportJSON.members([
        "maxzoom": .integer(maxzoom), "wanted": .integer(wanted), "format": .integer(format),
        "bytes": .integer(bytes), "unlimited": .integer(unlimited),
      ]).line
    }
  }

  package init(bytes: Int, codecs: [TileCodec]) {
    self.bytes = bytes
    self.codecs = codecs
  }

  /// Parses a size: `40MB`, `1.5GB` and `500kB` in powers of 1,000, or as ``MemoryCeiling`` takes it;
  /// `nil` for any other text.
  package static func bytes(of text: String) -> Int? {
    let powers = ["kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12]
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let power = powers[text.dropFirst(digits.count).trimmingCharacters(in: .whitespaces)]
    else {
      return MemoryCeiling(text)?.bytes
    }
    guard let number = Double(digits), number > 0, number * power < 1e15 else { return nil }
    return Int(number * power)
  }

  /// Returns a sentence that names the choice and its cost.
  package func note(on choice: Choice) -> String {
    let zooms =
      "maxzoom \(choice.maxzoom)"
      + (choice.maxzoom < choice.wanted ? " instead of \(choice.wanted)" : "")
    let format =
      codecs[choice.format].title + (choice.format > 0 ? " instead of \(codecs[0].title)" : "")
    return "'budget' of \(ReportNumber.bytes(bytes)): \(zooms), \(format); about "
      + "\(ReportNumber.bytes(choice.bytes)) by the plan"
      + (choice.unlimited > bytes ? ", without it \(ReportNumber.bytes(choice.unlimited))." : ".")
  }
}

extension TileCodec {
  /// The format and its quality, for messages.
  package var title: String {
    switch self {
    case .png: "png"
    case .webP(quality: nil): "webp"
    case .webP(let quality?): "webp of quality \(quality)"
    case .jpeg(let quality, _): "jpeg of quality \(quality)"
    }
  }
}

extension PipelineDefinition {
  /// Returns the pipeline with the zooms and the format of a choice; `nil` if this pipeline does
  /// not offer it.
  package func taking(_ choice: TileBudget.Choice) -> PipelineDefinition? {
    guard let budget = tiles.budget, budget.codecs.indices.contains(choice.format),
      choice.wanted == tiles.maxZoom, (tiles.minZoom...tiles.maxZoom).contains(choice.maxzoom)
    else { return nil }
    var taking = self
    taking.tiles.maxZoom = choice.maxzoom
    taking.tiles.codec = budget.codecs[choice.format]
    taking.view.zoom = view.zoom.map { min($0, choice.maxzoom) }
    return taking
  }
}

extension OutputDecoder {
  /// The qualities that are tried if the pipeline gives none.
  private static let webPQualities = [90, 75, 60]
  private static let jpegQualities = [80, 65, 50]

  /// - Parameters:
  ///   - keyed: the keys of `tiles`.
  ///   - codec: the format that they name.
  func budget(
    _ keyed: KeyedNode, _ codec: TileCodec, hasSeries: Bool
  ) throws(PipelineError) -> TileBudget? {
    guard let text = keyed.text("budget") else { return nil }
    guard let bytes = TileBudget.bytes(of: text) else {
      throw keyed.fault("budget", "'budget' is a size such as 40MB or 1.5GB, not '\(text)'.")
    }
    guard !hasSeries else {
      throw keyed.fault(
        "budget",
        "the frames of a series have one format and the same zooms, whatever their size. Remove "
          + "'budget'.")
    }
    let webP = [TileCodec.webP(quality: nil)] + Self.webPQualities.map { .webP(quality: $0) }
    let isFixed = keyed.node["quality"] != nil
    let codecs: [TileCodec] =
      switch codec {
      case .png: keyed.node["format"] == nil ? [.png] + webP : [.png]
      case .webP: isFixed ? [codec] : webP
      case .jpeg(_, let background):
        isFixed ? [codec] : Self.jpegQualities.map { .jpeg(quality: $0, background: background) }
      }
    return TileBudget(bytes: bytes, codecs: codecs)
  }
}
