import { describeRemovedMember } from '../../src/base/agents/describeRemovedMember.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { Investigation } from '../../src/contract/schema/planning/intake.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

export interface ProposedJob {
  workflowPath: string;
  params: Record<string, unknown>;
}

/** What the person has given, which wins over what the model proposes. */
interface GivenJob {
  workflow: string | undefined;
  repo: string | undefined;
  reviewers: string | undefined;
  description: string | undefined;
}

const DEFAULT_WORKFLOW = 'workflows/job.md';
const splitNameList = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const pickTitleLine = (text: string): string =>
  (text.split('\n').find((line) => line.trim() !== '') ?? '').replace(/^#+\s*/, '').trim();

/** A choice of the model that was taken out is not replaced by another one without a person. */
function refuseRemoved({ run }: Investigation, given: GivenJob): void {
  const flags = [
    ['workflowPath', '--workflow <path>', given.workflow],
    ['repoSlug', '--repo <slug>', given.repo],
  ] as const;
  for (const [name, flag, value] of flags) {
    const removed = run?.removed.find((one) => one.name === name && one.value !== null);
    if (removed && value === undefined)
      throw new SvcError(
        'not-possible-now',
        `${toPrintableLine(describeRemovedMember(removed))} Nothing was dispatched. Choose one with ${flag}.`,
      );
  }
}

/**
 * The job that a chat leads to. Throws SvcError `not-possible-now` for a chat without findings,
 * and for one whose model has chosen a workflow or a repository that was taken out, unless the
 * person gives another.
 */
export function buildProposedJob(investigation: Investigation, given: GivenJob): ProposedJob {
  const { sessionId, findings, run, repo, title } = investigation;
  if (findings === null)
    throw new SvcError(
      'not-possible-now',
      `The chat has no findings yet, so nothing was dispatched. Ask for them: svc plan --continue ${sessionId} "Write the findings" --dispatch`,
    );
  refuseRemoved(investigation, given);
  const proposed = run?.params ?? {};
  const merged: Record<string, unknown> = { ...proposed };
  merged.repoSlug = given.repo ?? proposed.repoSlug ?? repo ?? undefined;
  merged.description =
    given.description ?? proposed.description ?? (pickTitleLine(findings.text) || title);
  if (given.reviewers !== undefined) merged.reviewers = splitNameList(given.reviewers);
  merged.investigationId = sessionId;
  merged.findingsSha = findings.sha256;
  const known = Object.entries(merged).filter(([, value]) => value !== undefined);
  const workflowPath = given.workflow ?? run?.workflowPath ?? DEFAULT_WORKFLOW;
  return { workflowPath, params: Object.fromEntries(known) };
}
