import CSQLite

/// The body of a function of integers, called by SQLite.
private final class ScalarFunction {
  let body: ([Int64?]) -> Int64?

  init(_ body: @escaping ([Int64?]) -> Int64?) { self.body = body }
}

extension Database {
  /// Defines a function of integers for the statements of this connection; schemas cannot use it.
  ///
  /// - Parameters:
  ///   - arguments: their number.
  ///   - body: returns the value, `nil` for null; an argument that is no integer is `nil`.
  package func define(
    _ name: String, arguments: Int32, _ body: @escaping ([Int64?]) -> Int64?
  ) throws(SQLiteError) {
    let code = sqlite3_create_function_v2(
      connection, name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
      Unmanaged.passRetained(ScalarFunction(body)).toOpaque(),
      { context, count, values in
        guard let context, let values, let data = sqlite3_user_data(context) else { return }
        let function = Unmanaged<ScalarFunction>.fromOpaque(data).takeUnretainedValue()
        let arguments = (0..<Int(count)).map { index -> Int64? in
          sqlite3_value_type(values[index]) == SQLITE_INTEGER
            ? sqlite3_value_int64(values[index]) : nil
        }
        if let value = function.body(arguments) {
          sqlite3_result_int64(context, value)
        } else {
          sqlite3_result_null(context)
        }
      }, nil, nil,
      { data in
        if let data { Unmanaged<ScalarFunction>.fromOpaque(data).release() }
      })
    guard code == SQLITE_OK else { throw SQLiteError(code, connection: connection) }
  }
}
