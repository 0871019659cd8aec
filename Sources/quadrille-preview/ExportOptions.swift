import ArgumentParser
import Preview

/// What an export holds.
struct ExportOptions: ParsableArguments {
  func run(_ tilesets: [PreviewTileset], _ leaflet: LeafletFiles, to folder: String) throws {
  }
}
