import Foundation
package import Hashing

/// The keys that sign lists of updates and packs, and the time for which these are valid.
///
/// No archive depends on it, so it is part of no fingerprint.
package struct ListSigner: Hashable, Sendable {
  package var keys: [Ed25519.SigningKey]

  /// The validity of a list; `nil` for lists without an end.
  package var lifetime: ListLifetime?

  package init(keys: [Ed25519.SigningKey] = [], lifetime: ListLifetime? = nil) {
    self.keys = keys
    self.lifetime = lifetime
  }
}

/// The time for which a list is valid. Apps refuse it afterwards, so that nobody can withhold newer
/// lists for ever.
package struct ListLifetime: Hashable, Sendable {
  /// The seconds from publication to end.
  package var seconds: Int

  /// The instant of publication in seconds since 1970, the only part of a list that a clock decides.
  package var now: Int

  /// Whether a list must be renewed: half of its time is over, or it ends later than a new one.
  ///
  /// - Parameter end: its end in seconds since 1970; `nil` for a list without one.
  package func isDue(_ end: Int?) -> Bool {
    guard let end else { return true }
    return end <= now + seconds / 2 || end > now + seconds
  }

  /// The end of a list that is published now.
  package var end: Int { now + seconds }

  /// Returns the seconds of a text such as `30d`; `nil` for another text and for less than a minute.
  package static func seconds(_ text: String) -> Int? {
    TimeSpan.seconds(text).flatMap { $0 >= 60 ? Int($0) : nil }
  }
}

extension BuildOptions {
  /// The signer of the lists of a run.
  package var signer: ListSigner {
    ListSigner(
      keys: signingKeys,
      lifetime: listSeconds.map {
        ListLifetime(
          seconds: $0, now: publicationTime ?? Int(Date().timeIntervalSince1970))
      })
  }
}
