import { formatCost } from '../../../src/base/spending/formatCost.ts';
import type { PrMapping } from '../../../src/contract/schema/forge/pr.ts';
import type { Job, JobSummary } from '../../../src/contract/schema/job/job.ts';
import {
  escapeMarkdown,
  toMarkdownCode,
  toMarkdownLink,
} from '../../shell/markdown/writeMarkdown.ts';
import { toJobHash } from '../../shell/navigation/router.ts';
import { formatJobTitle } from '../jobText.ts';
import { describeJobState } from '../plainText.ts';

type SharedPr = Pick<PrMapping, 'repo' | 'number' | 'title' | 'url' | 'state'>;
type SharedJob = JobSummary &
  Pick<Job, 'escalationMessage' | 'lastOutput'> & { prMappings: readonly SharedPr[] };

/**
 * What a job is and why, for a chat or a ticket. `sentences`: why it is where it is; `page`: address
 * of the dashboard.
 */
export function formatJobMarkdown(
  job: SharedJob,
  sentences: readonly string[],
  page: string,
): string {
  const facts = [
    describeJobState(job),
    `phase ${job.phase}`,
    ...(job.repoSlug === null ? [] : [job.repoSlug]),
    ...(job.cost ? [formatCost(job.cost)] : []),
  ];
  const reason = job.ended ? (job.escalationMessage ?? null) : null;
  const output = job.lastOutput?.lines.map(({ text }) => text) ?? [];
  return [
    `**${toMarkdownLink(formatJobTitle(job), toJobHash(job.id), page)}**`,
    escapeMarkdown(facts.join(' · ')),
    ...(reason === null ? [] : [escapeMarkdown(reason)]),
    ...(sentences.length === 0
      ? []
      : [sentences.map((text) => `- ${escapeMarkdown(text)}`).join('\n')]),
    ...(output.length === 0 ? [] : [toMarkdownCode(output)]),
    ...(job.prMappings.length === 0
      ? []
      : [
          job.prMappings
            .map(
              ({ repo, number, title, url, state }) =>
                `- [${escapeMarkdown(`${repo}#${number} ${title}`)}](${url}), ${state}`,
            )
            .join('\n'),
        ]),
  ]
    .join('\n\n')
    .concat('\n');
}
