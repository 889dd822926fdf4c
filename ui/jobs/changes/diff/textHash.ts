/** A hash of texts, 16 hexadecimal digits: tells versions apart, and protects from nothing. */
interface TextHash {
  add(text: string): void;
  value(): string;
}

const formatHexHalf = (half: number): string => (half >>> 0).toString(16).padStart(8, '0');

/** FNV-1a, two of them with different starts; each text counts with its end. */
export function createTextHash(): TextHash {
  let one = 0x811c9dc5;
  let two = 0x1b873593;
  const mix = (unit: number) => {
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit, 0x85ebca6b);
    two ^= two >>> 13;
  };
  return {
    add(text) {
      for (let at = 0; at < text.length; at++) mix(text.charCodeAt(at));
      mix(0x1_0000);
    },
    value: () => formatHexHalf(one) + formatHexHalf(two),
  };
}
