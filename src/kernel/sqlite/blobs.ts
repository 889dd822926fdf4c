import { sha256 } from '../../base/system/ids/ids.ts';
import type { Database } from './database.ts';
import type { Statements } from './thread/statements.ts';

/** Journal events larger than this are stored once, by hash. */
const MAX_INLINE_EVENT_BYTES = 8_192;
/** Most UTF-8 bytes of a UTF-16 unit. */
const MAX_UNIT_BYTES = 3;
/** Cannot be an event, since events always have a `type`. */
const REFERENCE = /^\{"\$blob":"([0-9a-f]{64})"\}$/;

/** Large JSON texts by the sha256 of their bytes. */
export class Blobs {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The text itself or a reference to it. Called within the transaction that uses it. */
  put(to: Statements, json: string): string {
    // Most events need no exact count.
    if (json.length * MAX_UNIT_BYTES <= MAX_INLINE_EVENT_BYTES) return json;
    if (Buffer.byteLength(json) <= MAX_INLINE_EVENT_BYTES) return json;
    const hash = sha256(json);
    to.run(
      'INSERT INTO blobs (hash, body) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING',
      hash,
      json,
    );
    return JSON.stringify({ $blob: hash });
  }

  get(storedText: string): string {
    const hash = REFERENCE.exec(storedText)?.[1];
    if (hash === undefined) return storedText;
    const body = this.#db.get('SELECT body FROM blobs WHERE hash = ?', hash)?.body;
    return body === undefined ? storedText : String(body);
  }
}
