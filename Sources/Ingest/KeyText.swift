package import Features
import JSON

/// The key of a record as bytes, without allocating a string.
///
/// Keys are compared as text, like feature keys (``PropertyColumn/text(_:)``): a field of a CSV
/// file as it is spelled, a number of a typed file in its shortest form.
package enum KeyText {
  /// Calls `body` with the bytes of a row's key; `nil` where the row is null or missing.
  package static func withBytes<R>(
    of column: PropertyColumn, _ row: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R? {
    switch column.kinds[row] {
    case .text, .string: return try column.withBytes(row, body)
    case .number:
      if let number = column.number(row), let whole = Int(exactly: number),
        whole.magnitude < 1 << 53
      {
        return try withDigits(of: whole, body)
      }
      return try withText(of: column, row, body)
    case .missing, .null: return nil
    case .false, .true, .json: return try withText(of: column, row, body)
    }
  }

  /// Calls `body` with the bytes of a row's key, every number in its shortest form: `7.0` and `7e0`
  /// of a CSV file are 7, while `07` is a different text. Plainly written whole numbers stay as
  /// they are, however long.
  package static func withNumberBytes<R>(
    of column: PropertyColumn, _ row: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R? {
    guard column.kinds[row] == .text, let number = column.number(row),
      !column.withBytes(row, isPlainWhole)
    else { return try withBytes(of: column, row, body) }
    if let whole = Int(exactly: number), whole.magnitude < 1 << 53 {
      return try withDigits(of: whole, body)
    }
    var text = "\(number)"
    return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
  }

  /// Whether a number of the JSON grammar is written as digits alone, possibly after a minus.
  private static func isPlainWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Minus zero is zero.
    !bytes.elementsEqual("-0".utf8) && NumberGrammar.isPlainInteger(bytes)
  }

  private static func withText<R>(
    of column: PropertyColumn, _ row: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R? {
    guard var text = column.text(row) else { return nil }
    return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
  }

  /// Calls `body` with the decimal digits of a number, as `String` writes them.
  private static func withDigits<R>(
    of number: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    // 64 bits take at most 20 bytes.
    try withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { room in
      var rest = number.magnitude
      var start = room.count
      repeat {
        start -= 1
        room[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        start -= 1
        room[start] = UInt8(ascii: "-")
      }
      return try body(UnsafeRawBufferPointer(rebasing: room[start...]))
    }
  }
}
