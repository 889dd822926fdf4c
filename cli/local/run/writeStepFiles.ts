import { appendFile } from 'node:fs/promises';
import { formatCost } from '../../../src/base/spending/formatCost.ts';
import type { Env } from '../../../src/host/config/home/env.ts';
import { toErrorMessage } from '../../../src/base/errors/errors.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import type { Outcome } from '../../deriveOutcome.ts';

export interface RunEnd {
  job: Job;
  outcome: Outcome;
  exitCode: number;
  /** Folder of the bundle; null = the job was not kept. */
  kept: string | null;
}

const escapeMarkdown = (text: string): string =>
  toPrintableLine(text).replace(/[\\`*_{}[\]<>#|!~@&]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** Longest text of others in a summary, characters. */
const LONGEST = 2_000;

const formatSeconds = (from: string, to: string | null): string =>
  to === null ? '' : `${((Date.parse(to) - Date.parse(from)) / 1000).toFixed(0)} s`;

/** Only addresses of the web become links. */
const toMarkdownLink = (title: string, url: string): string =>
  /^https?:\/\/[^\s()<>]+$/.test(url)
    ? `[${escapeMarkdown(title)}](${url})`
    : escapeMarkdown(title);

export function formatStepSummary({ job, outcome, exitCode, kept }: RunEnd): string {
  const { phases, prMappings, cost, reason } = job;
  const rows = phases.map(
    ({ phase, startedAt, endedAt, outcome: end }) =>
      `| ${escapeMarkdown(phase)} | ${formatSeconds(startedAt, endedAt)} | ${escapeMarkdown(end ?? 'not over')} |`,
  );
  const requests = prMappings.map(
    ({ prId, title, url, state }) => `- ${toMarkdownLink(`${prId} ${title}`, url)}: ${state}`,
  );
  return [
    `## svc: ${outcome} (exit code ${exitCode})`,
    `Job ${escapeMarkdown(job.id)}, workflow ${escapeMarkdown(job.workflowPath)}, status ${escapeMarkdown(job.status)}.`,
    ...(reason === null ? [] : [escapeMarkdown(reason.slice(0, LONGEST))]),
    ['| Phase | Time | Outcome |', '|---|---|---|', ...rows].join('\n'),
    ...(requests.length === 0 ? [] : [`Pull requests:\n\n${requests.join('\n')}`]),
    `Cost: ${cost === undefined ? 'no model was used' : formatCost(cost)}.`,
    ...(kept === null ? [] : ['The job was kept; `svc run --resume` continues it.']),
    '',
  ].join('\n\n');
}

export function formatStepOutputs({ job, outcome, exitCode, kept }: RunEnd): string {
  const values = {
    job: job.id,
    outcome,
    'exit-code': exitCode,
    'pull-request': job.prMappings.at(-1)?.url ?? '',
    kept: kept === null ? 'false' : 'true',
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${toPrintableLine(String(value))}\n`)
    .join('');
}

/**
 * Adds both to the files that a GitHub workflow names in GITHUB_STEP_SUMMARY and GITHUB_OUTPUT. One
 * that cannot be written is a warning: the run itself is over.
 */
export async function writeStepFiles(
  end: RunEnd,
  env: Env,
  warn: (text: string) => void,
): Promise<void> {
  const files = [
    ['GITHUB_STEP_SUMMARY', formatStepSummary(end)],
    ['GITHUB_OUTPUT', formatStepOutputs(end)],
  ] as const;
  for (const [variable, text] of files) {
    const file = env[variable]?.trim() ?? '';
    if (file === '') continue;
    await appendFile(file, text).catch((error: unknown) =>
      warn(
        `Warning: ${variable} names ${file}, which cannot be written: ${toErrorMessage(error)}\n`,
      ),
    );
  }
}
