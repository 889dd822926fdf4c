import { appendFile } from 'node:fs/promises';
import { moneyText } from '../../src/domain/moneyText.ts';
import type { Env } from '../../src/config/env.ts';
import { messageOf } from '../../src/lib/errors.ts';
import type { Job } from '../../src/schema/job.ts';
import { printableLine } from '../render/printable.ts';
import type { Outcome } from '../outcome.ts';

/** How a run ended. */
export interface RunEnd {
  job: Job;
  outcome: Outcome;
  exitCode: number;
  /** Folder of the bundle; null = the job was not kept. */
  kept: string | null;
}

/** A text of others as plain text of Markdown. */
const plain = (text: string): string =>
  printableLine(text).replace(/[\\`*_{}[\]<>#|!~@&]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** Longest text of others in a summary, characters. */
const LONGEST = 2_000;

const minutes = (from: string, to: string | null): string =>
  to === null ? '' : `${((Date.parse(to) - Date.parse(from)) / 1000).toFixed(0)} s`;

/** Only addresses of the web become links. */
const linked = (title: string, url: string): string =>
  /^https?:\/\/[^\s()<>]+$/.test(url) ? `[${plain(title)}](${url})` : plain(title);

/** The run as Markdown: outcome, phases, pull requests, cost. */
export function stepSummary({ job, outcome, exitCode, kept }: RunEnd): string {
  const { phases, prMappings, cost, reason } = job;
  const rows = phases.map(
    ({ phase, startedAt, endedAt, outcome: end }) =>
      `| ${plain(phase)} | ${minutes(startedAt, endedAt)} | ${plain(end ?? 'not over')} |`,
  );
  const requests = prMappings.map(
    ({ prId, title, url, state }) => `- ${linked(`${prId} ${title}`, url)}: ${state}`,
  );
  return [
    `## svc: ${outcome} (exit code ${exitCode})`,
    `Job ${plain(job.id)}, workflow ${plain(job.workflowPath)}, status ${plain(job.status)}.`,
    ...(reason === null ? [] : [plain(reason.slice(0, LONGEST))]),
    ['| Phase | Time | Outcome |', '|---|---|---|', ...rows].join('\n'),
    ...(requests.length === 0 ? [] : [`Pull requests:\n\n${requests.join('\n')}`]),
    `Cost: ${cost === undefined ? 'no model was used' : moneyText(cost)}.`,
    ...(kept === null ? [] : ['The job was kept; `svc run --resume` continues it.']),
    '',
  ].join('\n\n');
}

/** The values that later steps of a GitHub workflow may use. */
export function stepOutputs({ job, outcome, exitCode, kept }: RunEnd): string {
  const values = {
    job: job.id,
    outcome,
    'exit-code': exitCode,
    'pull-request': job.prMappings.at(-1)?.url ?? '',
    kept: kept === null ? 'false' : 'true',
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${printableLine(String(value))}\n`)
    .join('');
}

/**
 * Adds both to the files that a GitHub workflow names in GITHUB_STEP_SUMMARY and GITHUB_OUTPUT. One
 * that cannot be written is a warning: the run itself is over.
 */
export async function reportStep(
  end: RunEnd,
  env: Env,
  warn: (text: string) => void,
): Promise<void> {
  const files = [
    ['GITHUB_STEP_SUMMARY', stepSummary(end)],
    ['GITHUB_OUTPUT', stepOutputs(end)],
  ] as const;
  for (const [variable, text] of files) {
    const file = env[variable]?.trim() ?? '';
    if (file === '') continue;
    await appendFile(file, text).catch((error: unknown) =>
      warn(`Warning: ${variable} names ${file}, which cannot be written: ${messageOf(error)}\n`),
    );
  }
}
