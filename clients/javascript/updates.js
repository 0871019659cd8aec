// Lists of updates as docs/updates.md describes them: signatures (Ed25519), limits, and the cheapest path.
import { QuadrilleError } from "./sqlite.js";

const protocol = 2;
const listLimit = 16 << 20;
const deltaLimit = 100000;

const hash = async (name, bytes) => {
  const { subtle } = globalThis.crypto ?? (await import("node:crypto")).webcrypto;
  if (!subtle) throw new Error("a page needs https, or this machine's own address, to compute digests");
  return new Uint8Array(await subtle.digest(name, bytes));
};
export const sha256 = (bytes) => hash("SHA-256", bytes);

const badList = (text) => new QuadrilleError("badList", text);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isWhole = (value) => Number.isInteger(value) && value >= 0 && value <= 2 ** 53;
const isDigest = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const object = (text) => {
  let value = null;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badList(error.message);
  }
  if (!isObject(value)) throw badList("no object");
  return value;
};
const bytesOf = (base64) => {
  if (typeof base64 !== "string" || !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)) return new Uint8Array();
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
};
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/// The state of a client: what it stored of an earlier one (`JSON.stringify(state)`, or null), and the raw public keys in base64 that
/// the app brings. What is damaged counts as none. The keys of the text count only where it was stored for the same keys of the app.
export const remembered = (text, keys) => {
  let told = null;
  try {
    told = JSON.parse(text);
  } catch {
    // as if there were none
  }
  const isRight = isObject(told) && isWhole(told.sequence) && Array.isArray(told.keys);
  const isSame = (a, b) => Array.isArray(a) && a.length === b.length && a.every((one, i) => one === b[i]);
  const isKnown =
    isRight && isSame(told.anchors, keys) && told.keys.length > 0 && keys.length > 0 && told.keys.every((key) => bytesOf(key).length === 32);
  return { sequence: isRight ? told.sequence : 0, keys: isKnown ? told.keys : [...keys], anchors: [...keys] };
};

/// The name in an address that ends with `NAME.updates.json`, or otherwise; null in another one.
export const archiveName = (address, ending = ".updates.json") => {
  const last = /[^/?#]*(?=(?:[?#].*)?$)/.exec(address)[0];
  try {
    return last.endsWith(ending) ? decodeURIComponent(last.slice(0, -ending.length)) : null;
  } catch {
    return null;
  }
};

/// Checks the text of `NAME.updates.json`: {list, state}, the state to remember.
///
/// `state` comes from `remembered`; without keys unsigned lists are taken. `name` is the name of the archive or series that is asked
/// for (`archiveName`): the list of another one is refused, although the same keys sign it. `now` is the present instant in seconds
/// since 1970, by which a list that has an end is refused.
export const checkList = async (text, state, name, now = Date.now() / 1000) => {
  const list = await signedList(text, state);
  const keys = checkMembers(list);
  return accepted(list, state, keys, (list.series?.manifest ?? list.archive).file, name, now);
};

/// Checks the text of `NAME.packs.json`, as `checkList` does.
export const checkPackList = async (text, state, name, now = Date.now() / 1000) => {
  const list = await signedList(text, state);
  const keys = checkPacks(list);
  return accepted(list, state, keys, list.archive.file, name, now);
};

/// The name under which a server has an archive or pack of a list, whose content no publication changes if the list gives one.
export const downloadName = (whole) => whole.download ?? whole.file;

/// The list in an envelope, which one of the keys of a state signed if it has any.
const signedList = async (text, state) => {
  if (text.length > listLimit) throw badList("too long");
  const outer = object(text);
  const { signatures } = outer;
  if (typeof outer.list !== "string" || !Array.isArray(signatures) || !signatures.every(isObject)) throw badList("no list and signatures");
  if (/\p{Surrogate}/u.test(outer.list)) throw badList("it cannot be written in UTF-8");
  if (state.keys.length > 0) await checkSignatures(outer.list, signatures, state.keys);
  const list = object(outer.list);
  if (list.format !== 1 || !isWhole(list.minimumClient)) throw badList("another format");
  if (list.minimumClient > protocol) throw new QuadrilleError("clientTooOld");
  return list;
};

const stem = (file) => file.replace(/\.(?:mbtiles|pmtiles|frames\.json)$/, "");

/// {list, state} after a list of a file, which has to be of a name.
const accepted = (list, state, keys, file, name, now) => {
  if (stem(file) !== name) throw new QuadrilleError("otherArchive", `the list belongs to '${stem(file)}', not to '${name}'`);
  if (list.sequence < state.sequence) throw new QuadrilleError("replayed", `${list.sequence} after ${state.sequence}`);
  if ((list.expires ?? null) !== null && list.expires <= now) {
    throw new QuadrilleError("expired", `valid until ${new Date(list.expires * 1000).toISOString()}: the server has no newer list, or the clock is wrong`);
  }
  return { list, state: { ...state, sequence: list.sequence, keys: keys.length > 0 && state.keys.length > 0 ? keys : state.keys } };
};

const checkSignatures = async (list, signatures, keys) => {
  const trusted = new Map();
  for (const key of keys.map(bytesOf)) trusted.set(hex((await sha256(key)).subarray(0, 8)), key);
  const known = signatures.filter((one) => trusted.has(one.key));
  if (known.length === 0) throw new QuadrilleError(signatures.length > 0 ? "untrusted" : "unsigned");
  const message = new TextEncoder().encode(`quadrille-updates-1\n${list}`);
  for (const one of known) if (await isSigned(trusted.get(one.key), message, bytesOf(one.signature))) return;
  throw new QuadrilleError("badSignature");
};

/// Checks the members of a list and the names in it; returns the keys that sign from now on.
const checkMembers = (list) => {
  const { deltas, series, archive } = list;
  if (!isWhole(list.sequence) || !Array.isArray(deltas) || deltas.length > deltaLimit) throw badList("no sequence and deltas");
  if ((series === undefined) === (archive === undefined)) throw badList("not one of archive and series");
  if (series !== undefined && !(isObject(series) && Array.isArray(series.frames))) throw badList("no frames");
  const frames = series ? series.frames : [archive];
  const earlier = list.earlier ?? [];
  if (!Array.isArray(earlier) || earlier.length > deltaLimit || !hasEnd(list)) throw badList("earlier archives or an end that are none");
  const wholes = [...frames, ...earlier];
  const files = [...deltas, ...wholes, ...(series ? [series.manifest] : [])];
  const isStep = (one) => isDigest(one.before) && isDigest(one.after) && areTaps(one.taps, one.tapsBefore, one.tapsAfter);
  const areRight = files.every(isFile) && deltas.every(isStep) && wholes.every((one) => isDigest(one.digest) && areTaps(one.taps));
  const isTwice = new Set(frames.map((one) => one?.file)).size < frames.length;
  if (!areRight || isTwice || !wholes.every(hasChunks)) throw badList("members of a wrong type or beyond the limits");
  const keys = listedKeys(list);
  const names = [...files.map((one) => one.file), ...wholes.map(downloadName), ...deltas.map((one) => one.frame ?? "frame"), ...(series ? [series.folder] : [])];
  if (!names.every((one) => typeof one === "string")) throw badList("a name is no text");
  for (const name of names) if (!isPlain(name)) throw new QuadrilleError("badName", name);
  return keys;
};

const hasEnd = ({ expires = null }) => expires === null || isWhole(expires);
/// Whether an archive has one hash for each chunk of its file, if it has any; regions are cut by these, in readers that write files.
const hasChunks = ({ bytes, chunks = null }) => {
  if (chunks === null) return true;
  const isSize = isObject(chunks) && chunks.bytes >= 1 << 16 && chunks.bytes <= 1 << 30 && Number.isInteger(Math.log2(chunks.bytes));
  return isSize && bytesOf(chunks.hashes).length === Math.ceil(bytes / chunks.bytes) * 16;
};
const isFile = (one) => isObject(one) && typeof one.file === "string" && isWhole(one.bytes) && isDigest(one.sha256);
const areTaps = (...digests) => digests.every((one) => one === undefined || one === null || isDigest(one));
const listedKeys = (list) => {
  const keys = list.keys ?? [];
  if (!Array.isArray(keys) || !keys.every((one) => isObject(one) && bytesOf(one.key).length === 32)) throw badList("no keys");
  return keys.map((one) => one.key);
};

/// Checks the members of a list of packs and the names in it; returns the keys that sign from now on.
const checkPacks = (list) => {
  const { packs, shared, archive } = list;
  if (!isWhole(list.sequence) || !Array.isArray(packs) || packs.length > deltaLimit) throw badList("no sequence and packs");
  const files = shared === undefined ? packs : [...packs, shared];
  const areBounds = (one) => Array.isArray(one) && one.length === 4 && one.every((edge) => typeof edge === "number" && Math.abs(edge) <= 360);
  const areZooms = (one) => isWhole(one.minzoom) && isWhole(one.maxzoom) && one.minzoom <= one.maxzoom && one.maxzoom <= 30;
  const isPack = (one) => isFile(one) && isDigest(one.digest) && areTaps(one.taps) && typeof one.name === "string" && areBounds(one.bounds) && areZooms(one);
  const isTwice = new Set(files.map((one) => one?.file)).size < files.length;
  const areTexts = files.every((one) => typeof downloadName(one ?? {}) === "string");
  if (!files.every(isPack) || isTwice || !areTexts || !hasEnd(list) || typeof archive?.file !== "string") throw badList("members of a wrong type or beyond the limits");
  const keys = listedKeys(list);
  for (const name of [...files.map((one) => one.file), ...files.map(downloadName), archive.file]) {
    // The files beside the archives have other endings.
    if (!isPlain(name) || stem(name) === name) throw new QuadrilleError("badName", name);
  }
  return keys;
};

/// Whether a name is one component of a path on every system: no folder, no drive, not hidden.
const isPlain = (name) =>
  /^(?![A-Za-z]:)[^./\\\p{Surrogate}\0-\x1f][^/\\\p{Surrogate}\0-\x1f]*$/u.test(name) && new TextEncoder().encode(name).length <= 255;

/// The deltas to fetch, in order, from an archive of such digests; none if nothing is new, and null where the whole file costs
/// no more. Of a series, `frame` is the file of a frame. `without` has the names of files that are not to be had.
export const planUpdate = (list, digest, taps = "", frame = undefined, without = new Set()) => {
  const whole = frame === undefined ? list.archive : list.series.frames.find((one) => one.file === frame);
  const name = (digest, taps) => `${digest} ${taps ?? ""}`;
  const end = name(whole.digest, whole.taps);
  const steps = new Map();
  for (const delta of list.deltas.filter((one) => (one.frame ?? undefined) === frame && !without.has(one.file))) {
    const before = name(delta.before, delta.tapsBefore);
    if (!steps.has(before)) steps.set(before, []);
    steps.get(before).push(delta);
  }
  const ways = new Map([[name(digest, taps), { bytes: 0, path: [] }]]);
  const done = new Set();
  for (;;) {
    let best = null;
    for (const [state, way] of ways) if (!done.has(state) && (best === null || isBetter(way, best.way))) best = { state, way };
    if (best === null) return null;
    if (best.state === end) return best.way.path.length === 0 || best.way.bytes < whole.bytes ? best.way.path : null;
    done.add(best.state);
    for (const delta of steps.get(best.state) ?? []) {
      const after = name(delta.after, delta.tapsAfter);
      const way = { bytes: best.way.bytes + delta.bytes, path: [...best.way.path, delta] };
      if (!done.has(after) && (!ways.has(after) || isBetter(way, ways.get(after)))) ways.set(after, way);
    }
  }
};

/// Fewer bytes; of equal ones fewer files, then those whose names come first.
const isBetter = (a, b) => {
  if (a.bytes !== b.bytes) return a.bytes < b.bytes;
  if (a.path.length !== b.path.length) return a.path.length < b.path.length;
  for (const [i, delta] of a.path.entries()) if (delta.file !== b.path[i].file) return delta.file < b.path[i].file;
  return false;
};

// Ed25519 (RFC 8032) in big integers, since not every browser has it.
const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (value) => ((value % P) + P) % P;
const power = (base, exponent) => {
  let result = 1n;
  for (base = mod(base); exponent > 0n; exponent >>= 1n, base = (base * base) % P) if (exponent & 1n) result = (result * base) % P;
  return result;
};
const D = mod(-121665n * power(121666n, P - 2n));
const root = power(2n, (P - 1n) / 4n);
const number = (bytes) => bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

/// The sum of two points in extended coordinates (x, y, z, x·y/z).
const add = (a, b) => {
  const [m, n] = [(a[1] - a[0]) * (b[1] - b[0]), (a[1] + a[0]) * (b[1] + b[0])];
  const [o, q] = [2n * a[3] * mod(b[3] * D), 2n * a[2] * b[2]];
  const [e, f, g, h] = [mod(n - m), mod(q - o), mod(q + o), mod(n + m)];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
};
const times = (scalar, point) => {
  let total = [0n, 1n, 1n, 0n];
  for (; scalar > 0n; scalar >>= 1n, point = add(point, point)) if (scalar & 1n) total = add(total, point);
  return total;
};
const point = (bytes) => {
  const all = number(bytes);
  const [y, sign] = [all & (2n ** 255n - 1n), all >> 255n];
  const square = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n));
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x - square) !== 0n) x = mod(x * root);
  if (y >= P || mod(x * x - square) !== 0n || (x === 0n && sign === 1n)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
};
const base = point(Uint8Array.from([0x58, ...Array(31).fill(0x66)]));

export const isSigned = async (key, message, signature) => {
  if (key.length !== 32 || signature.length !== 64) return false;
  const [owner, first, scalar] = [point(key), point(signature.subarray(0, 32)), number(signature.subarray(32))];
  if (owner === null || first === null || scalar >= L) return false;
  const challenge = number(await hash("SHA-512", Uint8Array.from([...signature.subarray(0, 32), ...key, ...message]))) % L;
  const [a, b] = [times(scalar, base), add(first, times(challenge, owner))];
  return mod(a[0] * b[2] - b[0] * a[2]) === 0n && mod(a[1] * b[2] - b[1] * a[2]) === 0n;
};
