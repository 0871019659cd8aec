/// A place in a text file, as messages print it.
package struct DocumentPlace: Hashable, Sendable {
  /// The file as the user named it.
  package var file: String

  /// The line, from 1; 0 if no line is meant.
  package var line: Int

  /// The column, from 1, in Unicode scalars; 0 if no column is meant.
  package var column: Int

  package init(file: String, line: Int = 0, column: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// Returns the place as a message about a file names it: without the file if it is the same.
  package func words(in file: String) -> String {
    file == self.file ? "\(line):\(column)" : "\(self)"
  }
}

extension DocumentPlace: CustomStringConvertible {
  /// The place as `file:line:column`, without the parts that are 0.
  package var description: String {
    if line == 0 { return file }
    return column == 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
  }
}
