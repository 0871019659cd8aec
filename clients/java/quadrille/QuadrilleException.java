package quadrille;

/** What is wrong with an archive, a delta or a list; the kinds are those of clients/vectors/README.md. */
public final class QuadrilleException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public enum Kind {
    missing, notAnArchive, damaged, wrongBytes, wrongBase, badList, unsigned, untrusted, badSignature, replayed, expired, clientTooOld, badName, otherArchive, cutOff, disk, noPlaces, tooLarge
  }

  public final Kind kind;

  public QuadrilleException(Kind kind, String text) {
    super(kind + ": " + text);
    this.kind = kind;
  }

  /** The exception for an error of SQLite, by its message. */
  public static QuadrilleException ofSQLite(Exception error) {
    String text = String.valueOf(error.getMessage());
    if (text.contains("disk I/O") || text.contains("is full") || text.contains("locked")) return new QuadrilleException(Kind.disk, text);
    return new QuadrilleException(text.contains("not a database") ? Kind.notAnArchive : Kind.damaged, text);
  }
}
