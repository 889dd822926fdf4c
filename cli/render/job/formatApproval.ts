import type { Approval } from '../../../src/contract/schema/job/approval.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { Io } from '../../io.ts';
import { toPrintable, toPrintableLine } from '../text/toPrintable.ts';
import { renderTable } from '../text/renderTable.ts';

const indentPrintable = (text: string): string => toPrintable(text).replace(/^(?=.)/gm, '  ');

const describeFollowingPhase = ({
  follows: { workflowPath, phase },
}: Approval['covers']): string =>
  phase === null ? 'the job completes' : `phase ${phase} of ${workflowPath}`;

function formatPlannedSubRun({
  name,
  description,
  params,
  dependsOn,
  trackerRef,
}: Job['subRuns'][number]): string {
  const facts = [
    dependsOn.length > 0 ? `depends on ${dependsOn.join(', ')}` : '',
    trackerRef === null ? '' : `ticket ${trackerRef}`,
    Object.keys(params).length > 0 ? `params ${JSON.stringify(params)}` : '',
  ].filter((fact) => fact !== '');
  return [
    `  ${name}\n`,
    `${indentPrintable(indentPrintable(description))}\n`,
    ...facts.map((fact) => `    ${toPrintableLine(fact)}\n`),
  ].join('');
}

/** Everything that an approval covers. `plan`: text of the plan; null where none was posted. */
export function formatApproval(
  { phase, shown, covers }: Approval,
  { subRuns }: Pick<Job, 'subRuns'>,
  plan: string | null,
  io: Pick<Io, 'color' | 'columns'>,
): string {
  const part = (title: string, text: string): string =>
    `\n${io.color.bold(title)}\n${text}${text.endsWith('\n') ? '' : '\n'}`;
  const items = covers.workItems.map((item) =>
    [item.id, item.status, item.title].map(toPrintableLine),
  );
  const coveredSubRuns = subRuns.filter(({ name }) => covers.subRuns.includes(name));
  return [
    `Phase ${toPrintableLine(phase)} waits for approval. What is approved:\n`,
    part('PLAN', plan === null ? '  none was posted' : indentPrintable(plan)),
    items.length === 0 ? '' : part('WORK ITEMS', renderTable(['ID', 'STATUS', 'TITLE'], items, io)),
    coveredSubRuns.length === 0
      ? ''
      : part(
          `SUB-RUNS (${coveredSubRuns.length})`,
          coveredSubRuns.map(formatPlannedSubRun).join(''),
        ),
    part('WHAT FOLLOWS', `  ${toPrintableLine(describeFollowingPhase(covers))}`),
    part('SHOWN', `  ${shown}`),
  ].join('');
}
