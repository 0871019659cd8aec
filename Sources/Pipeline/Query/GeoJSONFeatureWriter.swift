import Features
import Ingest
import JSON

/// Features as GeoJSON (RFC 7946): one FeatureCollection, or a Feature on each line.
///
/// A feature's `id`, and the member `key`, is the text of its ``FeatureKey``; `sourceId` is the id that
/// its source gives it. A feature without a key keeps that as its `id`.
/// Numbers have their shortest form that reads back as the same Double; whole ones of ±2⁵³ and beyond
/// keep the digits of their file, since these may be identifiers.
final class GeoJSONFeatureWriter: FeatureWriter {
  private let buffer: OutputBuffer
  private let isSequence: Bool
  /// The id column's name of each source.
  private let idNames: [String?]
  private var isFirst = true

  /// - Parameter idNames: the property that is the id of each source's features, if one is.
  init(_ buffer: OutputBuffer, isSequence: Bool, idNames: [String?]) {
    self.buffer = buffer
    self.isSequence = isSequence
    self.idNames = idNames
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

extension PropertyColumn {
  /// Appends a row's value as JSON; `null` for what is missing.
  func appendJSON(_ row: Int, to bytes: inout [UInt8]) {
    switch kinds[row] {
    case .missing, .null: bytes.append(contentsOf: "null".utf8)
    case .false: bytes.append(contentsOf: "false".utf8)
    case .true: bytes.append(contentsOf: "true".utf8)
    case .json: withBytes(row) { bytes.append(contentsOf: $0) }
    case .string: withBytes(row) { JSONWriter.append(utf8: $0, to: &bytes) }
    case .number, .text:
      if let number = number(row) {
        let keepsDigits =
          kinds[row] == .text
          && withBytes(row) { NumberGrammar.isLargeInteger($0, value: number) }
        if keepsDigits {
          withBytes(row) { bytes.append(contentsOf: $0) }
        } else {
          JSONWriter.append(number, to: &bytes)
        }
      } else {
        withBytes(row) { JSONWriter.append(utf8: $0, to: &bytes) }
      }
    }
  }
}
