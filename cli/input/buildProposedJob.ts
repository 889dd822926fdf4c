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
function refuseRemoved({ run }: Investigation, givenJob: GivenJob): void {
  const flags = [
    ['workflowPath', '--workflow <path>', givenJob.workflow],
    ['repoSlug', '--repo <slug>', givenJob.repo],
  ] as const;
  for (const [name, flag, value] of flags) {
    const removal = run?.removed.find((one) => one.name === name && one.value !== null);
    if (removal && value === undefined)
      throw new SvcError(
        'not-possible-now',
        `${toPrintableLine(describeRemovedMember(removal))} Nothing was dispatched. Choose one with ${flag}.`,
      );
  }
}

/**
 * The job that a chat leads to. Throws SvcError `not-possible-now` for a chat without findings,
 * and for one whose model has chosen a workflow or a repository that was taken out, unless the
 * person gives another.
 */
export function buildProposedJob(investigation: Investigation, givenJob: GivenJob): ProposedJob {
  const { sessionId, findings, run, repo, title } = investigation;
  if (findings === null)
    throw new SvcError(
      'not-possible-now',
      `The chat has no findings yet, so nothing was dispatched. Ask for them: svc plan --continue ${sessionId} "Write the findings" --dispatch`,
    );
  refuseRemoved(investigation, givenJob);
  const proposedParams = run?.params ?? {};
  const merged: Record<string, unknown> = { ...proposedParams };
  merged.repoSlug = givenJob.repo ?? proposedParams.repoSlug ?? repo ?? undefined;
  merged.description =
    givenJob.description ?? proposedParams.description ?? (pickTitleLine(findings.text) || title);
  if (givenJob.reviewers !== undefined) merged.reviewers = splitNameList(givenJob.reviewers);
  merged.investigationId = sessionId;
  merged.findingsSha = findings.sha256;
  const givenParams = Object.entries(merged).filter(([, value]) => value !== undefined);
  const workflowPath = givenJob.workflow ?? run?.workflowPath ?? DEFAULT_WORKFLOW;
  return { workflowPath, params: Object.fromEntries(givenParams) };
}
