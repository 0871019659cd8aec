public import Foundation

/// The legend of a map: the looks of its layers with their meanings, as in `NAME.legend.json`.
public struct Legend: Hashable, Sendable, Decodable {
  /// The title of the map.
  public let title: String

  /// The pixels of the archive's pictures for each pixel of the map.
  public let scale: Int?

  /// The whole legend as a sentence, for screen readers.
  public let text: String?

  /// The parts, for example one for each source.
  public let entries: [Entry]

  /// Layers that are drawn over one another for the same features.
  public struct Entry: Hashable, Sendable, Decodable {
    /// The title of the part.
    public let title: String
    /// The source of the features.
    public let source: String?
    /// The names of the layers, in drawing order.
    public let layers: [String]?
    /// The property whose values the rows show; `nil` if all features look alike.
    public let property: String?
    /// The looks.
    public let rows: [Row]
  }

  /// One look and its meaning.
  public struct Row: Hashable, Sendable, Decodable {
    /// The text beside the look.
    public let label: String
    /// The value that looks like this; `nil` if no single value does.
    public let value: JSONValue?
    /// The items to draw, the lowest first; docs/readers.md describes their members.
    public let swatch: [JSONValue]
  }

  /// Reads the legend beside an archive; `nil` if there is none.
  ///
  /// - Throws: ``ClientError/damaged(file:reason:)`` if it is not a legend.
  public init?(besideArchive url: URL) throws(ClientError) {
    let file = Self.url(besideArchive: url, ending: "legend.json")
    guard let data = try? Data(contentsOf: file) else { return nil }
    do {
      self = try JSONDecoder().decode(Legend.self, from: data)
    } catch {
      throw ClientError.damaged(file: file.lastPathComponent, reason: "it is not a legend")
    }
  }

  /// Returns the url of the picture of the legend beside an archive, whether it exists or not.
  public static func picture(besideArchive url: URL) -> URL {
    Self.url(besideArchive: url, ending: "legend.png")
  }

  private static func url(besideArchive url: URL, ending: String) -> URL {
    url.deletingPathExtension().appendingPathExtension(ending)
  }
}
