import Features
import Ingest
import RecordChanges

/// The keys that change the records of a source on their way from its reader: `edits` and `join`.
enum ChangeKeys {
  /// The specifications of both keys, valid for every source of records.
  static let all = [edits, join]

  private static let files = ValueSpecification.oneOf([
    .string, .list(of: .string, count: 1...1000),
  ])

  private static let edits = KeySpecification(
    "edits",
    .oneOf([.string, .list(of: .string, count: 1...1000), .object(editsObject)]),
    "A log of edits by key, or several that are one: CSV files or GeoJSON text sequences.")

  static let editsObject = ObjectSpecification(
    "edits",
    [
      KeySpecification(
        "data", files, isRequired: true, "The log's file, relative to this one, or several."),
      KeySpecification(
        "type", .choice(EditLogForm.allCases.map(\.rawValue)),
        "The form of the files: csv or geojsonseq; by their names unless given."),
      KeySpecification(
        "op", .string, default: .string("op"),
        "The column or member that says what an entry does: upsert (if empty), update or delete."),
      KeySpecification(
        "time", .string, default: .string("time"),
        "The column or member with the time from which an entry applies."),
      KeySpecification(
        "optional", .boolean, default: .bool(false),
        "Whether a missing log counts as empty, with a note."),
    ])

  private static let join = KeySpecification(
    "join", .oneOf([.object(joinObject), .list(of: .object(joinObject), count: 1...16)]),
    "A CSV table whose columns the records gain, or several.")

  static let joinObject = ObjectSpecification(
    "join",
    [
      KeySpecification(
        "data", .string, isRequired: true, "The table's file, relative to this one."),
      KeySpecification(
        "on", .oneOf([.string, .object(joinSides)]), isRequired: true,
        "The property that both sides have, or {left: …, right: …}."),
      KeySpecification(
        "select", .list(of: .string, count: 0...4096),
        "The columns that records gain; all but that of the key unless given."),
      KeySpecification(
        "compare", .choice(KeyComparison.allCases.map(\.rawValue)), default: .string("exact"),
        "The keys that are equal: exact ones, or codes, whose case, marks and leading zeros do not count."
      ),
      KeySpecification("prefix", .string, "The prefix of the names of the columns gained."),
      KeySpecification(
        "onDuplicate", .choice(DuplicatePolicy.allCases.map(\.rawValue)), default: .string("error"),
        "What happens when two rows of the table have one key."),
      KeySpecification(
        "delimiter", .string, default: .string(","),
        "One ASCII character between the table's fields, or tab."),
      KeySpecification(
        "encoding", .string, default: .string("utf-8"),
        "The encoding of the table."),
      KeySpecification(
        "decimal", .choice(CSVOptions.DecimalMark.allCases.map(\.rawValue)), default: .string("."),
        "The mark before the decimals of the table's numbers."),
      KeySpecification(
        "types", .map(of: .choice(CSVOptions.ColumnType.allCases.map(\.rawValue))),
        "The type of columns of the table that are not to be guessed."),
    ])

  static let joinSides = ObjectSpecification(
    "on",
    [
      KeySpecification("left", .string, isRequired: true, "The property of the source."),
      KeySpecification("right", .string, isRequired: true, "The column of the table."),
      KeySpecification(
        "leftPrefix", .string, "The text that the source's keys begin with and the table's lack."),
      KeySpecification("rightPrefix", .string, "The same of the table's keys."),
    ])
}
