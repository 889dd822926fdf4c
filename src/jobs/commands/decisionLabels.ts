import type { Runner } from '../../contract/runner/runner.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { RowChange, KernelUse } from '../../contract/records/changes.ts';

interface LabelDeps extends Pick<Runner, 'decisions'> {
  kernel: Pick<KernelUse, 'submit'>;
  rows: RowReader;
  now(): number;
  screen(text: string): string;
}

/**
 * What people think of ratings. No agent tool may set a label, since ratings are measured by them.
 */
export const createDecisionLabels = ({
  kernel,
  rows,
  now,
  screen,
  decisions,
}: LabelDeps): Pick<Runner, 'labelDecision'> => ({
  async labelDecision({ job, key, verdict, note = '' }, { by }) {
    const id = { job_id: job, key };
    if (!rows.one('decisions', id)) throw createNoSuchDecisionError(job, key);
    const text = screen(note.trim());
    const change: RowChange =
      verdict === null
        ? { op: 'drop', table: 'decision_labels', key: id }
        : {
            op: 'put',
            table: 'decision_labels',
            row: { ...id, verdict, note: text === '' ? null : text, at: now(), by },
          };
    await kernel.submit({ rows: [change] });
    const [entry] = decisions({ job, key, limit: 1 }).decisions;
    if (!entry) throw createNoSuchDecisionError(job, key);
    return entry;
  },
});

export const createNoSuchDecisionError = (job: string, key: string): SvcError =>
  new SvcError(
    'not-found',
    `The job ${job} has no rating with the key ${key}: svc decisions --job ${job} lists its ratings.`,
  );
