const SCREENED = Buffer.from('[secret]');

/** The bytes that are looked for, by their first two, longest first. Shared by many streams. */
export interface SecretTable {
  byStart: ReadonlyMap<number, readonly Buffer[]>;
  /** Bytes of the longest; at least 1. */
  longest: number;
}

/** A text as files hold it: in UTF-8, and in UTF-16 of both byte orders. */
function listEncodedForms(text: string): Buffer[] {
  const littleEndian = Buffer.from(text, 'utf16le');
  return [Buffer.from(text), littleEndian, Buffer.from(littleEndian).swap16()];
}

/** Texts of fewer than two bytes are left out. */
export function createSecretTable(texts: readonly string[]): SecretTable {
  const forms = texts.filter((text) => Buffer.byteLength(text) >= 2).flatMap(listEncodedForms);
  const byStart = new Map<number, Buffer[]>();
  for (const form of forms.sort((a, b) => b.length - a.length)) {
    const start = form.readUInt16BE(0);
    byStart.set(start, [...(byStart.get(start) ?? []), form]);
  }
  return { byStart, longest: Math.max(1, ...forms.map(({ length }) => length)) };
}

/**
 * Takes secrets out of bytes that come in pieces, also if one is split between two of them. Of
 * several that begin at one place the longest counts.
 */
export class SecretStream {
  /** The secrets that were taken out so far. */
  readonly found = new Set<Buffer>();
  readonly #table: SecretTable;
  #kept: Buffer = Buffer.alloc(0);

  constructor(table: SecretTable) {
    this.#table = table;
  }

  /**
   * Returns how much of this and the earlier pieces can be passed on: a secret that may have begun
   * is held back.
   */
  push(piece: Buffer): Buffer {
    const bytes = this.#kept.length === 0 ? piece : Buffer.concat([this.#kept, piece]);
    return this.#screenUntil(bytes, bytes.length - this.#table.longest + 1);
  }

  end(): Buffer {
    return this.#screenUntil(this.#kept, this.#kept.length);
  }

  /** Places before `until` are decided now. */
  #screenUntil(bytes: Buffer, until: number): Buffer {
    const { byStart } = this.#table;
    const parts: Buffer[] = [];
    let from = 0;
    let at = 0;
    while (at < until) {
      const candidates =
        at + 1 < bytes.length
          ? byStart.get(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0))
          : undefined;
      const place = at;
      const form = candidates?.find((one) => bytes.subarray(place, place + one.length).equals(one));
      if (!form) at += 1;
      else {
        parts.push(bytes.subarray(from, at), SCREENED);
        this.found.add(form);
        at += form.length;
        from = at;
      }
    }
    this.#kept = Buffer.from(bytes.subarray(at));
    parts.push(bytes.subarray(from, at));
    return Buffer.concat(parts);
  }
}
