import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { RowChange } from '../../../contract/records/changes.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { Caller } from '../../../contract/schema/runner/caller.ts';
import type {
  FileVersion,
  FileVersionText,
} from '../../../contract/schema/workflow/intelligence.ts';

export const MAX_FILE_VERSIONS = 50;
/**
 * Most characters of all versions of one file; the oldest are removed, the newest is always kept.
 */
export const MAX_VERSIONS_CHARS = 4 * 1024 * 1024;

type Row = Tables['intelligence_versions'];

export interface ChangedFile {
  path: string;
  /** null = there was none. */
  before: string | null;
  /** null = it was removed. */
  after: string | null;
}

export interface ChangedBy {
  author: string;
  by: Caller;
  /** The applied proposal; default: none. */
  proposal?: string;
}

/** How many of the oldest versions to remove; `rows` oldest first. */
function countVersionsOverLimits(rows: readonly Row[]): number {
  let chars = 0;
  const fits = rows.toReversed().findIndex(({ text }, at) => {
    chars += text?.length ?? 0;
    return at >= MAX_FILE_VERSIONS || (at > 0 && chars > MAX_VERSIONS_CHARS);
  });
  return fits === -1 ? 0 : rows.length - fits;
}

/** Keeps earlier versions of files of the tenant layer, and who changed them. */
export class FileVersions {
  readonly #rows: RowReader;
  readonly #commit: (rows: RowChange[]) => Promise<void>;
  readonly #now: () => number;

  constructor(deps: {
    rows: RowReader;
    writeRows(rows: RowChange[]): Promise<void>;
    now(): number;
  }) {
    this.#rows = deps.rows;
    this.#commit = deps.writeRows;
    this.#now = deps.now;
  }

  /**
   * Must be called in turn with the writes. Also keeps a text that was changed by other means; a
   * repeated change is kept once.
   */
  async keep(files: readonly ChangedFile[], who: ChangedBy): Promise<void> {
    await this.#commit(files.flatMap((file) => this.#changes(file, who)));
  }

  /** Newest first. */
  history(path: string): FileVersion[] {
    const versions = this.#of(path);
    return versions
      .map(({ n, at, author, came, proposal, text }, index): FileVersion => {
        const before = versions[index - 1]?.text ?? null;
        const change = text === null ? 'removed' : before === null ? 'created' : 'changed';
        return {
          n,
          at: toIsoTime(at),
          author,
          by: came,
          proposal,
          change,
          chars: text?.length ?? 0,
        };
      })
      .toReversed();
  }

  /** Throws SvcError `not-found`. */
  version(path: string, n: number): FileVersionText {
    const row = this.#rows.one('intelligence_versions', { path, n });
    if (row) return { path, n, text: row.text };
    throw new SvcError('not-found', `No version ${n} of ${path} is kept.`);
  }

  #of(path: string): Row[] {
    return this.#rows.all('intelligence_versions', { path }, { order: 'n' });
  }

  #changes({ path, before, after }: ChangedFile, who: ChangedBy): RowChange[] {
    const versions = this.#of(path);
    const last = versions.at(-1);
    if (last !== undefined && last.text === after) return [];
    const at = this.#now();
    const newRow: Row = {
      path,
      n: 0,
      at,
      author: 'on disk',
      came: null,
      proposal: null,
      text: before,
    };
    const changedRow: Row = {
      path,
      n: 0,
      at,
      author: who.author,
      came: who.by,
      proposal: who.proposal ?? null,
      text: after,
    };
    const isKnown = last === undefined ? before === null : last.text === before;
    const next = (last?.n ?? 0) + 1;
    const fresh = (isKnown ? [changedRow] : [newRow, changedRow]).map((row, at) => ({
      ...row,
      n: next + at,
    }));
    const over = countVersionsOverLimits([...versions, ...fresh]);
    return [
      ...versions.slice(0, over).map(({ n }) => ({
        op: 'drop' as const,
        table: 'intelligence_versions' as const,
        key: { path, n },
      })),
      ...fresh.map((row) => ({
        op: 'put' as const,
        table: 'intelligence_versions' as const,
        row,
      })),
    ];
  }
}
