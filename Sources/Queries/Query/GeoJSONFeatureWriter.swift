import Baking
import Features
import JSON

/// A writer of features as GeoJSON (RFC 7946): one FeatureCollection, or a Feature on each line.
///
/// A feature's `id`, and the member `key`, is the text of its ``FeatureKey``; `sourceId` is its id
/// in the source, and `sourceLayer` its layer in vector tiles. A feature without a key keeps that as
/// its `id`. Numbers of a CSV file are
/// spelled as in the file; others have their shortest form that reads back as the same Double, and
/// whole ones of ±2⁵³ and beyond their digits.
final class GeoJSONFeatureWriter: FeatureWriter {
  private let buffer: OutputBuffer
  private let isSequence: Bool
  /// The name of each source's id column.
  private let idNames: [String?]
  /// The member with the layer of each source's features; empty for those that have none.
  private let layerMembers: [String]
  private var isFirst = true

  /// - Parameters:
  ///   - idNames: the property that is the id of each source's features; `nil` without one.
  ///   - layers: the layer of vector tiles of each source's features; `nil` for other sources.
  init(_ buffer: OutputBuffer, isSequence: Bool, idNames: [String?], layers: [String?]) {
    self.buffer = buffer
    self.isSequence = isSequence
    self.idNames = idNames
    layerMembers = layers.map { layer in
      layer.map { #","sourceLayer":"# + JSONWriter.text(.string($0)) } ?? ""
    }
    if !isSequence { append(#"{"type":"FeatureCollection","features":["#) }
  }

  func write(_ view: RecordView) throws {
    if !isSequence { append(isFirst ? "\n" : ",\n") }
    isFirst = false
    append(#"{"type":"Feature""#)
    if let key = view.key {
      append(#","id":"\#(key)""#)
      appendID(of: view, as: "sourceId")
      append(#","key":"\#(key)""#)
    } else {
      appendID(of: view, as: "id")
    }
    append(layerMembers[view.source])
    append(#","geometry":"#)
    GeoJSONGeometryText.append(view.batch.geometry, view.row, to: &buffer.bytes)
    append(#","properties":{"#)
    appendProperties(of: view)
    append(isSequence ? "}}\n" : "}}")
    try buffer.flushIfLarge()
  }

  func end() throws {
    if !isSequence { append("\n]}\n") }
    try buffer.flush()
  }

  /// Appends the id that the source gives a feature, if it gives one.
  private func appendID(of view: RecordView, as name: String) {
    let batch = view.batch
    let column = idNames[view.source].flatMap { name in
      batch.columns.first { $0.name == name && !$0.isNull(view.row) }
    }
    let ids = column ?? batch.ids
    guard !ids.isNull(view.row) else { return }
    append(#","\#(name)":"#)
    ids.appendJSON(view.row, to: &buffer.bytes)
  }

  private func appendProperties(of view: RecordView) {
    var isFirst = true
    for place in view.columns where view.batch.columns[place].kinds[view.row] != .missing {
      if !isFirst { buffer.bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      JSONWriter.append(string: view.batch.columns[place].name, to: &buffer.bytes)
      buffer.bytes.append(UInt8(ascii: ":"))
      view.batch.columns[place].appendJSON(view.row, to: &buffer.bytes)
    }
  }

  private func append(_ text: String) {
    buffer.bytes.append(contentsOf: text.utf8)
  }
}
