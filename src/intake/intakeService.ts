import type { Intake } from '../contract/intake.ts';
import type { Clock } from '../lib/clock.ts';
import { SvcError } from '../lib/errors.ts';
import { InTurn } from '../lib/inTurn.ts';
import type { InvestigationReader } from '../durable/sqlite/investigationReader.ts';
import type { RowReader } from '../durable/sqlite/rowReader.ts';
import type { KernelUse } from '../records/kernelHandle.ts';
import { investigationOf, NOTHING_LIVE, summaryOf } from './investigationView.ts';
import { snapshotChanges } from './snapshot.ts';
import type { InvestigationRow } from './investigationRows.ts';

/** Chats of a page of the list where the request names no number. */
const DEFAULT_LIMIT = 5;

export interface IntakeDeps {
  kernel: Pick<KernelUse, 'submit'>;
  rows: RowReader;
  list: InvestigationReader;
  clock: Clock;
  screen(text: string): string;
}

/** Plan-mode chats of a runner. */
export function createIntake({ kernel, rows, list, clock, screen }: IntakeDeps): Intake {
  const inTurn = new InTurn();

  const rowOf = (id: string): InvestigationRow => {
    const row = rows.one('investigations', { id });
    if (row) return row;
    throw new SvcError('not-found', `There is no plan-mode session ${id}.`);
  };
  const view = (id: string) =>
    investigationOf(rowOf(id), rows, { live: NOTHING_LIVE, pinned: null });
  const unanswered = () =>
    new SvcError('no-llm', 'No executor of this runner can hold a plan-mode chat.', {
      data: { reason: 'no-llm' },
    });

  return {
    ask: () => Promise.reject(unanswered()),
    watch(_sessionId, _from, sink) {
      sink.frames([{ id: null, frame: { type: 'idle' } }]);
      sink.end();
      return () => undefined;
    },
    mustExist: (id) => void rowOf(id),
    async stop(id) {
      rowOf(id);
      return { stopped: false };
    },
    investigations({ limit = DEFAULT_LIMIT, offset = 0 }) {
      const sessions = list.page({ limit, offset }).map((row) => summaryOf(row, false));
      return { sessions, total: list.total(), limit, offset };
    },
    investigation: async (id) => view(id),
    saveInvestigation: (id, body) =>
      inTurn.run(id, async () => {
        const before = rows.one('investigations', { id });
        const turns = rows.all('investigation_turns', { investigation: id });
        const changes = snapshotChanges({ id, body, before, turns, now: clock.now(), screen });
        if (changes === null) return null;
        await kernel.submit({ rows: changes });
        return view(id);
      }),
    removeInvestigation: (id) =>
      inTurn.run(id, async () => {
        rowOf(id);
        const investigation = { investigation: id };
        await kernel.submit({
          rows: [
            { op: 'drop', table: 'investigations', key: { id } },
            { op: 'drop', table: 'investigation_turns', key: investigation },
            { op: 'drop', table: 'investigation_evidence', key: investigation },
            { op: 'drop', table: 'investigation_texts', key: investigation },
            { op: 'drop', table: 'investigation_citations', key: investigation },
          ],
        });
      }),
    async evidenceText(id, evidence) {
      const row = rows.one('investigation_evidence', {
        investigation: id,
        n: Number(evidence.slice(1)),
      });
      const kept =
        row && rows.one('investigation_texts', { investigation: id, sha256: row.sha256 });
      if (!kept) throw new SvcError('not-found', `The session ${id} has no look-up ${evidence}.`);
      return { text: kept.text };
    },
    citations: () => Promise.reject(unanswered()),
    fileLines: () => Promise.reject(unanswered()),
    pinNewest: () => Promise.reject(unanswered()),
  };
}
