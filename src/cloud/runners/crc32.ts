const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** CRC-32 of a text's bytes as eight hexadecimal digits; `zlib.crc32` is newer than the oldest Node that svc takes. */
export function crc32(text: string): string {
  let value = 0xffffffff;
  for (const byte of new TextEncoder().encode(text))
    value = (TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return ((value ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}
