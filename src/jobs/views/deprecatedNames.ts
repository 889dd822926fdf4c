import {
  DEPRECATED_NAMES,
  type DeprecatedName,
  isDeprecatedName,
} from '../../shared/settings/deprecatedNames.ts';
import type { DeprecatedUse } from '../../contract/schema/api/replies.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';

/** Older names of fields among the members of a value that a client sent. */
export const listDeprecatedFields = (sent: Readonly<Record<string, unknown>>): DeprecatedName[] =>
  Object.keys(sent)
    .map((key) => `field ${key}`)
    .filter(isDeprecatedName);

/** Ends the name of the row that counts what svc's own command line does. */
const OWN = ' (svc)';

/** Counts the uses of older names; the counts outlive the process. */
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

  /** `own`: by svc's own command line, which uses them because the specification requires it. */
  used(name: DeprecatedName, own = false): void {
    const key = own ? `${name}${OWN}` : name;
    const row = {
      name: key,
      uses: (this.#uses.get(key)?.uses ?? 0) + 1,
      last_used_at: this.#now(),
    };
    this.#uses.set(key, row);
    this.#write([{ op: 'put', table: 'deprecated_uses', row }]);
  }

  /** Those that were used, the latest first. */
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
