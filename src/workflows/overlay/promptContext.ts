import { clip } from '../../base/text/clip.ts';
import type { Artefact, Job } from '../../contract/schema/job/job.ts';
import { RUNNER_OWNED_PARAMS } from '../../base/jobs/params.ts';

/** Most insights that an agent sees, newest first. */
export const MAX_INSIGHTS_SHOWN = 50;
/** Most artefacts that an agent sees, newest first. */
export const MAX_ARTEFACTS_SHOWN = 50;
/** Longest foreign text (description, title, insight) in the job's context, characters. */
export const MAX_TEXT_SHOWN = 4_000;

/** Runner-owned parameters that an agent needs: the repository's place and name. */
const SHOWN_ANYWAY = new Set<string>(['repoSlug', 'repoCheckoutDir', 'gitProvider']);
const HIDDEN_PARAMS = new Set<string>([
  ...RUNNER_OWNED_PARAMS.filter((name) => !SHOWN_ANYWAY.has(name)),
  'autoApprove',
  'interactive',
]);

const clipText = (text: string): string =>
  clip(text, MAX_TEXT_SHOWN, (remaining) => ` … (${remaining} more characters)`);

const clipTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return clipText(value);
  if (Array.isArray(value)) return value.map(clipTexts);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, clipTexts(part)]));
};

function takeNewest<T>(list: readonly T[], most: number): { shown: T[]; leftOut: number } {
  return { shown: list.slice(-most), leftOut: Math.max(0, list.length - most) };
}

/**
 * Another job's artefacts that a job's agents may read; `of`: the campaign, or the name of a
 * sub-run.
 */
export interface RelatedArtefacts {
  of: string;
  artefacts: readonly Artefact[];
}

const toArtefactEntry = ({ id, kind, title, phase }: Artefact) => ({ id, kind, title, phase });

/**
 * What an agent may know of its job, as plain data: no journal, no usage, no runner-owned
 * parameters.
 */
export function buildJobContextData(
  job: Job,
  relatedLists: readonly RelatedArtefacts[] = [],
): Record<string, unknown> {
  const insights = takeNewest(job.insights, MAX_INSIGHTS_SHOWN);
  const artefacts = takeNewest(job.artefacts, MAX_ARTEFACTS_SHOWN);
  return {
    job: {
      id: job.id,
      type: job.type,
      phase: job.phase,
      status: job.status,
      interactive: job.interactive,
    },
    params: clipTexts(
      Object.fromEntries(Object.entries(job.params).filter(([key]) => !HIDDEN_PARAMS.has(key))),
    ),
    currentWorkItem: job.currentWorkItem,
    workItems: job.workItems,
    pullRequests: job.prMappings.map(({ prId, title, head, base, state, workItem, mergedAt }) => ({
      prId,
      title,
      head,
      base,
      state,
      workItem,
      mergedAt,
    })),
    artefacts: artefacts.shown.map(toArtefactEntry),
    ...(artefacts.leftOut > 0 && { olderArtefactsLeftOut: artefacts.leftOut }),
    ...(relatedLists.length > 0 && { artefactsOfOthers: listRelatedArtefacts(relatedLists) }),
    insights: insights.shown.map(({ category, text, phase }) => ({
      category,
      text: clipText(text),
      phase,
    })),
    ...(insights.leftOut > 0 && { olderInsightsLeftOut: insights.leftOut }),
    ...(job.aggregatedSiblingInsights.length > 0 && {
      siblingInsights: takeNewest(job.aggregatedSiblingInsights, MAX_INSIGHTS_SHOWN).shown.map(
        ({ category, text }) => ({
          category,
          text: clipText(text),
        }),
      ),
    }),
  };
}

/** The newest of all, each with its owner. */
const listRelatedArtefacts = (relatedLists: readonly RelatedArtefacts[]) =>
  takeNewest(
    relatedLists.flatMap(({ of, artefacts }) =>
      artefacts.map((one) => ({ of, ...toArtefactEntry(one) })),
    ),
    MAX_ARTEFACTS_SHOWN,
  ).shown;

/**
 * The text for parents and sub-runs about their contract files (INT-10); the runner never reads
 * them.
 */
export const describeContracts = (dir: string, addInsight: string): string =>
  [
    `The contracts of this campaign are in the folder ${dir}, outside every checkout:`,
    '',
    '- `_index.json`, by the planner: `{ "contracts": [ { id, kind, producer_hint, consumer_hints, shape, compatibility, ownership } ] }`',
    '- `<name of the sub-run>.json`, by that sub-run alone: `{ child_name, produces: [ { id, kind, shape, compatibility, test_ref, merged_pr_url, merged_commit_sha } ] }`',
    '',
    `The presence of a file is its publication. No one checks these files: what others wrote there is a claim to compare with the code. Report a contract that no longer fits with \`${addInsight}\` and the category \`contract-drift\`.`,
  ].join('\n');
