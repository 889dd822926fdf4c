import { describeSubRunStatus } from '../../../src/base/jobs/describeSubRunStatus.ts';
import { describeTokens } from '../../../src/base/spending/tokenText.ts';
import type { Campaign } from '../../../src/contract/schema/job/campaign.ts';
import type { SubRunEffects, SubRunStatus } from '../../../src/contract/schema/job/subRun.ts';
import { drawCampaignGraph } from './drawCampaignGraph.ts';
import type { Io } from '../../io.ts';
import { formatLastOutput } from './formatLastOutput.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

/** Statuses that are counted next to those that are done, in this order. */
const REPORTED: readonly SubRunStatus[] = ['dispatched', 'failed', 'escalated', 'skipped'];

const WORDS: Readonly<Partial<Record<SubRunStatus, string>>> = { dispatched: 'running' };

/** `3/5, 1 failed`: how many are complete of how many, and the outcome of others. */
export function formatCampaignProgress(subRuns: readonly { status: SubRunStatus }[]): string {
  const count = (status: SubRunStatus) => subRuns.filter((one) => one.status === status).length;
  const others = REPORTED.filter((status) => count(status) > 0).map(
    (status) => `, ${count(status)} ${WORDS[status] ?? status}`,
  );
  return `${count('complete')}/${subRuns.length}${others.join('')}`;
}

/** The state of a campaign, the graph of its sub-runs, and contracts that do not hold. */
export function formatCampaign(campaign: Campaign, io: Pick<Io, 'color' | 'columns'>): string {
  const {
    jobId,
    state,
    waitsFor,
    failurePolicy,
    maxParallelSubRuns,
    subRuns,
    criticalPath,
    contractDrift,
    tokens,
    unreported,
  } = campaign;
  const facts: [string, string][] = [
    ['campaign', jobId],
    ['state', state],
    ['waits', waitsFor],
    ['progress', formatCampaignProgress(subRuns)],
    ['rules', `${failurePolicy}, at most ${maxParallelSubRuns} at once`],
    ['tokens', describeTokens({ ...tokens, unreported })],
    ['critical', criticalPath.join(' -> ')],
  ];
  const head = facts.flatMap(([name, value]) =>
    value === '' ? [] : [`${io.color.bold(name.padEnd(10))}${toPrintableLine(value)}\n`],
  );
  const drift = contractDrift.map(
    ({ subRun, text }) =>
      `  ${io.color.bold(toPrintableLine(subRun ?? jobId))}  ${toPrintableLine(text)}\n`,
  );
  // Only the words of its state: the legend explains the statuses by name.
  const drawnSubRuns = subRuns.map((one) => {
    const word = describeSubRunStatus(one.status, state);
    return word === 'on hold' ? { ...one, word } : one;
  });
  const failures = subRuns.flatMap(({ name, lastOutput }) => {
    const lines = formatLastOutput(lastOutput ?? {}, io);
    if (lines.length === 0) return [];
    return [`  ${io.color.bold(toPrintableLine(name))}\n`, ...lines.map((line) => `    ${line}\n`)];
  });
  return [
    ...head,
    subRuns.length === 0 ? '' : `\n${drawCampaignGraph(drawnSubRuns, criticalPath, io)}`,
    failures.length === 0
      ? ''
      : `\n${io.color.bold('LAST OUTPUT OF FAILED SUB-RUNS')}\n${failures.join('')}`,
    drift.length === 0 ? '' : `\n${io.color.bold.yellow('CONTRACT DRIFT')}\n${drift.join('')}`,
  ].join('');
}

export function formatSubRunEffects(
  { state, changes, starts, stops }: SubRunEffects,
  will: boolean,
): string {
  const lines = [
    ...changes.map(
      ({ name, from, to, reason }) =>
        `${name}: ${from} -> ${to}${reason === null ? '' : ` (${reason})`}`,
    ),
    ...(starts.length > 0 ? [`${will ? 'starts' : 'started'}: ${starts.join(', ')}`] : []),
    ...(stops.length > 0 ? [`${will ? 'stops' : 'stopping'}: ${stops.join(', ')}`] : []),
    `the campaign ${will ? 'will be' : 'is'} ${state}`,
  ];
  return lines.map((line) => `  ${toPrintableLine(line)}\n`).join('');
}
