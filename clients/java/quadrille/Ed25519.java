package quadrille;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Ed25519 signatures (RFC 8032) in big integers, since not every Android has them. */
final class Ed25519 {
  private static final BigInteger TWO = BigInteger.valueOf(2);
  private static final BigInteger P = TWO.pow(255).subtract(BigInteger.valueOf(19));
  private static final BigInteger L = TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
  private static final BigInteger D =
      BigInteger.valueOf(-121665).multiply(BigInteger.valueOf(121666).modInverse(P)).mod(P);
  private static final BigInteger ROOT = TWO.modPow(P.shiftRight(2), P);
  private static final BigInteger[] BASE = point(base());

  private Ed25519() {}

  static boolean isSigned(byte[] key, byte[] message, byte[] signature) {
    if (key.length != 32 || signature.length != 64) return false;
    BigInteger[] owner = point(key), first = point(Arrays.copyOf(signature, 32));
    BigInteger scalar = number(Arrays.copyOfRange(signature, 32, 64));
    if (owner == null || first == null || scalar.compareTo(L) >= 0) return false;
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-512");
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException(error);
    }
    digest.update(signature, 0, 32);
    digest.update(key);
    BigInteger challenge = number(digest.digest(message)).mod(L);
    BigInteger[] a = times(scalar, BASE), b = sum(first, times(challenge, owner));
    return isZero(a[0].multiply(b[2]).subtract(b[0].multiply(a[2]))) && isZero(a[1].multiply(b[2]).subtract(b[1].multiply(a[2])));
  }

  private static byte[] base() {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) 0x66);
    bytes[0] = 0x58;
    return bytes;
  }

  private static boolean isZero(BigInteger value) {
    return value.mod(P).signum() == 0;
  }

  /** Of bytes, the lowest first. */
  private static BigInteger number(byte[] bytes) {
    byte[] turned = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) turned[i] = bytes[bytes.length - 1 - i];
    return new BigInteger(1, turned);
  }

  /** The point of 32 bytes in extended coordinates (x, y, z, x·y/z); null if they are none. */
  private static BigInteger[] point(byte[] bytes) {
    BigInteger y = number(bytes).clearBit(255), square = y.multiply(y);
    boolean isOdd = bytes[31] < 0;
    square = square.subtract(BigInteger.ONE).multiply(D.multiply(square).add(BigInteger.ONE).modInverse(P)).mod(P);
    BigInteger x = square.modPow(P.add(BigInteger.valueOf(3)).shiftRight(3), P);
    if (!isZero(x.multiply(x).subtract(square))) x = x.multiply(ROOT).mod(P);
    if (y.compareTo(P) >= 0 || !isZero(x.multiply(x).subtract(square)) || (x.signum() == 0 && isOdd)) return null;
    if (x.testBit(0) != isOdd) x = P.subtract(x);
    return new BigInteger[] {x, y, BigInteger.ONE, x.multiply(y).mod(P)};
  }

  private static BigInteger[] sum(BigInteger[] a, BigInteger[] b) {
    BigInteger m = a[1].subtract(a[0]).multiply(b[1].subtract(b[0])), n = a[1].add(a[0]).multiply(b[1].add(b[0]));
    BigInteger o = a[3].multiply(b[3]).shiftLeft(1).multiply(D), q = a[2].multiply(b[2]).shiftLeft(1);
    BigInteger e = n.subtract(m).mod(P), f = q.subtract(o).mod(P), g = q.add(o).mod(P), h = n.add(m).mod(P);
    return new BigInteger[] {e.multiply(f).mod(P), g.multiply(h).mod(P), f.multiply(g).mod(P), e.multiply(h).mod(P)};
  }

  private static BigInteger[] times(BigInteger scalar, BigInteger[] point) {
    BigInteger[] total = {BigInteger.ZERO, BigInteger.ONE, BigInteger.ONE, BigInteger.ZERO};
    for (int bit = scalar.bitLength() - 1; bit >= 0; bit--) {
      total = sum(total, total);
      if (scalar.testBit(bit)) total = sum(total, point);
    }
    return total;
  }
}
