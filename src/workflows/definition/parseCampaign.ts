import type { CreateJobBody } from '../../contract/schema/api/bodies.ts';
import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import type { SubRunInput } from '../../contract/schema/job/subRun.ts';
import { CampaignFrontMatter, SubRunFrontMatter } from './campaignShape.ts';
import { checkSubRunDependencies, type PlacedSubRun } from './dependencyRules.ts';
import { type Findings, createFindings, sortFindings } from './findings.ts';
import { parseFrontMatter } from './parseFrontMatter.ts';
import { reportMisplacedFrontMatter } from './reportMisplacedFrontMatter.ts';
import type { Positions } from './positions.ts';
import { createShapeCheck } from './createShapeCheck.ts';

/** Workflow of a campaign that names none. */
export const CAMPAIGN_WORKFLOW = 'workflows/campaign.md';

export interface ParsedCampaign {
  /** Body of POST /jobs; null if a finding is an error. */
  job: (CreateJobBody & { subRuns: SubRunInput[] }) | null;
  diagnostics: Diagnostic[];
}

const KEYS = Object.keys(CampaignFrontMatter.properties);
const checkShape = createShapeCheck(CampaignFrontMatter, {
  repoSlug: 'Did you mean repo?',
  subRuns: 'Did you mean sub-runs?',
  description: 'Write it as text below the front matter.',
});
const checkSubRunShape = createShapeCheck(SubRunFrontMatter, {
  workflow: 'Write params: { lane: <id of a workflow> }.',
});

/** Unusable sub-runs are left out and reported. One without a description gets its name instead. */
function readSubRuns(
  value: readonly unknown[],
  positions: Positions,
  findings: Findings,
): PlacedSubRun[] {
  return value.flatMap((item, index) => {
    const read = checkSubRunShape(item, ['sub-runs', index], positions, findings);
    if (read?.name === undefined) return [];
    const { name, description = name, ...rest } = read;
    return [{ index, spec: { name, description, ...rest } }];
  });
}

/**
 * Reads a handwritten campaign: front matter with sub-runs, and its purpose below. Never throws;
 * reports every distinct mistake with its place.
 */
export function parseCampaign(text: string | Uint8Array, file: string): ParsedCampaign {
  const front = parseFrontMatter(text, file);
  const findings = createFindings(file);
  findings.list.push(...front.diagnostics);
  const { positions } = front;
  const finish = (): ParsedCampaign => ({ job: null, diagnostics: sortFindings(findings.list) });
  if (findings.hasErrors()) return finish();
  if (Object.keys(front.data).length === 0) {
    if (front.readable || !reportMisplacedFrontMatter(front.body, KEYS, findings))
      findings.error(
        'empty-front-matter',
        { line: 1, column: 1 },
        'The file declares no campaign.',
        'Begin it with front matter: --- , repo, sub-runs, ---.',
      );
    return finish();
  }
  const read = checkShape(front.data, [], positions, findings);
  const placedSubRuns = readSubRuns(read?.['sub-runs'] ?? [], positions, findings);
  // An unreadable sub-run would make its name unknown to others: one mistake, one finding.
  if (!findings.hasErrors()) checkSubRunDependencies(placedSubRuns, positions, findings);
  const description = [read?.title, front.body.trim()].filter(Boolean).join('\n\n');
  if (description === '') {
    findings.error(
      'campaign-without-text',
      { line: front.bodyLine, column: 1 },
      'The campaign does not say what it is for.',
      'Write it below the front matter, or add title.',
    );
  }
  if (!read?.repo || findings.hasErrors()) return finish();
  const { repo, workflow = CAMPAIGN_WORKFLOW, params, maxParallelSubRuns, failurePolicy } = read;
  const coordinator = {
    ...(maxParallelSubRuns === undefined ? {} : { maxParallelSubRuns }),
    ...(failurePolicy === undefined ? {} : { failurePolicy }),
  };
  return {
    job: {
      type: 'campaign',
      workflowPath: workflow,
      params: { ...params, repoSlug: repo, description },
      subRuns: placedSubRuns.map(({ spec }) => spec),
      ...(Object.keys(coordinator).length === 0 ? {} : { coordinator }),
    },
    diagnostics: sortFindings(findings.list),
  };
}
