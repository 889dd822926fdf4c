import {
  DEPRECATED_NAMES,
  type DeprecatedName,
  isDeprecatedName,
} from '../../base/settings/deprecatedNames.ts';
import type { DeprecatedUse } from '../../contract/schema/api/replies.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';

/** Older field names among the members that a client sent. */
export const listDeprecatedFields = (body: Readonly<Record<string, unknown>>): DeprecatedName[] =>
  Object.keys(body)
    .map((key) => `field ${key}`)
    .filter(isDeprecatedName);

/** Suffix of the row that counts the uses by svc's own command line. */
const OWN = ' (svc)';

/** Counts uses of older names; the counts survive restarts. */
export class DeprecatedNames {
  readonly #write: (rows: RowChange<'deprecated_uses'>[]) => void;
  readonly #now: () => number;
  readonly #uses: Map<string, Tables['deprecated_uses']>;

  constructor(
    rows: RowReader,
    write: (rows: RowChange<'deprecated_uses'>[]) => void,
    now: () => number,
  ) {
    this.#write = write;
    this.#now = now;
    this.#uses = new Map(rows.all('deprecated_uses').map((row) => [row.name, row]));
  }

  /** `own`: used by svc's own command line, as the specification requires. */
  noteUse(name: DeprecatedName, own = false): void {
    const key = own ? `${name}${OWN}` : name;
    const row = {
      name: key,
      uses: (this.#uses.get(key)?.uses ?? 0) + 1,
      last_used_at: this.#now(),
    };
    this.#uses.set(key, row);
    this.#write([{ op: 'put', table: 'deprecated_uses', row }]);
  }

  /** Used names, latest first. */
  list(): DeprecatedUse[] {
    const names = [
      ...new Set(
        [...this.#uses.keys()].map((name) =>
          name.endsWith(OWN) ? name.slice(0, -OWN.length) : name,
        ),
      ),
    ];
    return names
      .map((name) => {
        const [others, own] = [this.#uses.get(name), this.#uses.get(`${name}${OWN}`)];
        return {
          name,
          instead: isDeprecatedName(name) ? DEPRECATED_NAMES[name] : 'nothing: it is gone',
          uses: others?.uses ?? 0,
          ownUses: own?.uses ?? 0,
          lastUsedAt: new Date(
            Math.max(others?.last_used_at ?? 0, own?.last_used_at ?? 0),
          ).toISOString(),
        };
      })
      .sort((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt));
  }
}
