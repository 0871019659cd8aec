/// Latin, Greek and Cyrillic letters with a diacritic and the letters below them.
enum Diacritics {
  /// The base letters of each lower-case letter.
  ///
  /// Keys are compared by canonical equivalence, so decomposed letters are found too.
  static let table: [Character: String] = Dictionary(
    uniqueKeysWithValues: rows.flatMap { base, letters in letters.map { ($0, base) } })

  private static let rows: [(base: String, letters: String)] = [
    ("a", "áàăắằẵẳâấầẫẩǎåäǟãȧąāảạặậ"), ("ae", "æǽ"), ("c", "ćĉčċç"), ("d", "ďḑđð"),
    ("e", "éèĕêếềễểěëẽėęēẻẹệ"), ("g", "ğĝǧġģ"), ("h", "ĥȟḧħ"), ("i", "íìĭîǐïĩįīỉịı"),
    ("j", "ĵǰ"), ("k", "ǩķ"), ("l", "ĺľļł"), ("n", "ńǹňñṅņ"),
    ("o", "óòŏôốồỗổǒöőõøǿǫōỏọộơớờỡởợ"), ("oe", "œ"), ("r", "ŕřŗ"), ("s", "śŝšşș"), ("ss", "ß"),
    ("t", "ťţțŧ"), ("th", "þ"), ("u", "úùŭûǔůüűũųūủụưứừữửự"), ("w", "ŵẃẁẅ"),
    ("y", "ýỳŷÿỹẏȳỷỵ"), ("z", "źẑžż"), ("α", "ά"), ("ε", "έ"), ("η", "ή"), ("ι", "ίϊΐ"),
    ("ο", "ό"), ("υ", "ύϋΰ"), ("ω", "ώ"), ("е", "ёѐ"), ("и", "йѝ"), ("і", "ї"), ("г", "ѓґ"),
    ("к", "ќ"),
  ]
}
