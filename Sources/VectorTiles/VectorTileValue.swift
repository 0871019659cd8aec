package import Features

/// The value of a property in a vector tile, with the type in which it is encoded.
package enum VectorTileValue: Hashable, Sendable {
  case string(String)
  case float(Float)
  case double(Double)
  case int(Int64)
  case uint(UInt64)
  /// An integer in zigzag form.
  case sint(Int64)
  case bool(Bool)

  /// Reads a message `Value`.
  ///
  /// If a value has several members, the last one counts, as in a `oneof` of protobuf.
  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(VectorTileError) {
    var fields = ProtobufFields(bytes, range)
    var value: VectorTileValue?
    while let head = try fields.next() {
      switch head.number {
      case 1:
        try ProtobufFields.require(head, .run, "string_value")
        value = .string(try fields.text())
      case 2:
        try ProtobufFields.require(head, .fourBytes, "float_value")
        value = .float(Float(bitPattern: try fields.fixed(UInt32.self)))
      case 3:
        try ProtobufFields.require(head, .eightBytes, "double_value")
        value = .double(Double(bitPattern: try fields.fixed(UInt64.self)))
      case 4:
        try ProtobufFields.require(head, .varint, "int_value")
        value = .int(Int64(bitPattern: try fields.varint()))
      case 5:
        try ProtobufFields.require(head, .varint, "uint_value")
        value = .uint(try fields.varint())
      case 6:
        try ProtobufFields.require(head, .varint, "sint_value")
        let zigzag = try fields.varint()
        value = .sint(Int64(bitPattern: zigzag >> 1) ^ -Int64(zigzag & 1))
      case 7:
        try ProtobufFields.require(head, .varint, "bool_value")
        value = .bool(try fields.varint() != 0)
      default: try fields.skip(head)
      }
    }
    guard let value else { throw VectorTileError(.value, byte: range.lowerBound) }
    self = value
  }

  /// The value as a property of a feature, whatever its encoding: 1 is one number as `int`, `uint`,
  /// `sint`, `float` and `double`.
  package var property: PropertyValue {
    switch self {
    case .string(let text): .string(text)
    case .float(let number): .number(Double(number))
    case .double(let number): .number(number)
    case .int(let number), .sint(let number): Self.whole(number)
    case .uint(let number): Self.whole(number)
    case .bool(let bool): .bool(bool)
    }
  }

  private static func whole(_ number: some FixedWidthInteger) -> PropertyValue {
    WholeNumber("\(number)").map { .whole($0) } ?? .number(Double(number))
  }

  /// Appends the value to a column of properties.
  ///
  /// A whole number beyond ±2⁵³ keeps its digits. Infinite numbers and NaN, which no other format of
  /// records has, are null.
  package func append(to column: inout PropertyColumn) {
    switch property {
    case .string(let text):
      var text = text
      text.withUTF8 { column.append(.string, bytes: UnsafeRawBufferPointer($0)) }
    case .whole(let number):
      var digits = number.text
      digits.withUTF8 { column.append(.text, bytes: UnsafeRawBufferPointer($0)) }
    case .number(let number) where number.isFinite: column.append(number)
    case .bool(let bool): column.append(bool ? .true : .false)
    default: column.append(.null)
    }
  }
}
