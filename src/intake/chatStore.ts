import type { RowReader } from '../contract/records/rowReader.ts';
import type { RowChange, KernelUse } from '../contract/records/changes.ts';
import { SvcError } from '../base/errors/errors.ts';
import type { ShownTexts } from './evidence/buildReplay.ts';
import type { EvidenceRow, InvestigationRow, TurnRow } from './investigationRows.ts';
import type { LookupPlace } from './liveTurn.ts';
import type { EndedLookup } from './tools/readTools.ts';
import { KernelError } from '../kernel/contract.ts';

function toShownStoreError(error: unknown): unknown {
  if (!(error instanceof KernelError)) return error;
  const extras = { cause: error };
  return error.code === 'stopping'
    ? new SvcError('stopping', 'The runner is stopping; try again after it has started.', extras)
    : new SvcError(
        'store-failed',
        'The conversation could not be stored. Try again; see the log of the runner.',
        extras,
      );
}

/** Tables with further rows of a conversation. */
const PARTS = [
  'investigation_turns',
  'investigation_evidence',
  'investigation_texts',
  'investigation_citations',
] as const;

export class ChatStore {
  readonly #kernel: Pick<KernelUse, 'submit'>;
  readonly rows: RowReader;

  constructor(kernel: Pick<KernelUse, 'submit'>, rows: RowReader) {
    this.#kernel = kernel;
    this.rows = rows;
  }

  /** Resolves when the changes are durable. Throws SvcError `store-failed`, `stopping`. */
  async write(changes: RowChange[]): Promise<void> {
    try {
      await this.#kernel.submit({ rows: changes });
    } catch (error) {
      throw toShownStoreError(error);
    }
  }

  find(id: string): InvestigationRow | undefined {
    return this.rows.one('investigations', { id });
  }

  /** Throws SvcError `not-found`. */
  row(id: string): InvestigationRow {
    const row = this.find(id);
    if (row) return row;
    throw new SvcError('not-found', `The plan-mode session ${id} does not exist.`);
  }

  turns(investigation: string): TurnRow[] {
    return this.rows.all('investigation_turns', { investigation });
  }

  turn(investigation: string, n: number): TurnRow {
    const row = this.rows.one('investigation_turns', { investigation, n });
    if (row) return row;
    throw new SvcError('not-found', `The plan-mode session ${investigation} has no turn ${n}.`);
  }

  evidence(investigation: string): EvidenceRow[] {
    return this.rows.all('investigation_evidence', { investigation });
  }

  patchTurn(investigation: string, n: number, set: Partial<TurnRow>): RowChange {
    return { op: 'patch', table: 'investigation_turns', key: { investigation, n }, set };
  }

  patch(id: string, set: Partial<InvestigationRow>): RowChange {
    return { op: 'patch', table: 'investigations', key: { id }, set };
  }

  drop(id: string): Promise<void> {
    const parts = PARTS.map(
      (table): RowChange => ({ op: 'drop', table, key: { investigation: id } }),
    );
    return this.write([{ op: 'drop', table: 'investigations', key: { id } }, ...parts]);
  }
}

/** Rows of one look-up; equal findings are stored once. */
export const buildLookupRows = (
  investigation: string,
  turn: number,
  { item, args, ms }: EndedLookup,
  { round, answerAt, thinkingAt }: LookupPlace,
): RowChange[] => [
  {
    op: 'put',
    table: 'investigation_evidence',
    row: {
      investigation,
      n: item.n,
      turn,
      tool: item.tool,
      args,
      target: item.target,
      ok: item.ok ? 1 : 0,
      ms,
      repo: item.repo,
      commit_sha: item.commit,
      path: item.path,
      from_line: item.fromLine,
      to_line: item.toLine,
      sha256: item.sha256,
      trust: item.trust,
      cited: 0,
      chars: item.text.length,
      round,
      answer_at: answerAt,
      thinking_at: thinkingAt,
    },
  },
  {
    op: 'put',
    table: 'investigation_texts',
    row: { investigation, sha256: item.sha256, text: item.text },
  },
];

/** Texts that the model saw in earlier turns. */
export const collectShownTexts = (evidence: readonly EvidenceRow[], turn: number): ShownTexts => {
  const shownTexts = new Map<string, string>();
  for (const { sha256, n, turn: of } of evidence)
    if (of < turn && !shownTexts.has(sha256)) shownTexts.set(sha256, `E${n}`);
  return shownTexts;
};
