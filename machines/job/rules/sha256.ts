const encoder = new TextEncoder();

/**
 * The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4, 4.2.2 and
 * 5.3.3).
 */
const computePrimeRoots = (count: number, root: (prime: number) => number): Uint32Array => {
  const words = new Uint32Array(count);
  for (let candidate = 2, digestIndex = 0; digestIndex < count; candidate++) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++)
      if (candidate % divisor === 0) prime = false;
    if (prime) words[digestIndex++] = Math.floor((root(candidate) % 1) * 2 ** 32);
  }
  return words;
};

const CONSTANTS = computePrimeRoots(64, Math.cbrt);
const START = computePrimeRoots(8, Math.sqrt);

const rotateRight = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The message with a one bit, zeros and its bit length, padded to blocks of 64 bytes. */
function padMessage(message: Uint8Array): DataView {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(bytes.length - 4, (message.length * 8) >>> 0);
  return view;
}

/** SHA-256 of the UTF-8 text, 64 hex digits. Pure: charts may not use Node's crypto module. */
export function sha256(text: string): string {
  const view = padMessage(encoder.encode(text));
  const hash = Uint32Array.from(START);
  const words = new Uint32Array(64);
  const at = (list: Uint32Array, index: number): number => list[index] ?? 0;
  for (let block = 0; block < view.byteLength; block += 64) {
    for (let n = 0; n < 16; n++) words[n] = view.getUint32(block + n * 4);
    for (let n = 16; n < 64; n++) {
      const early = at(words, n - 15);
      const late = at(words, n - 2);
      const small = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
      const large = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
      words[n] = at(words, n - 16) + small + at(words, n - 7) + large;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let n = 0; n < 64; n++) {
      const upper = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
      const first = (h + upper + ((e & f) ^ (~e & g)) + at(CONSTANTS, n) + at(words, n)) | 0;
      const lower = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
      const second = (lower + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, n) => {
      hash[n] = at(hash, n) + word;
    });
  }
  return [...hash].map((word) => word.toString(16).padStart(8, '0')).join('');
}
