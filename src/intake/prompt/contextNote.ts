import { joinIntoOneLine } from '../../base/text/clip.ts';
import type { IntakeContext } from '../../contract/schema/planning/intake.ts';

/** Longest shown description of a workflow, characters. */
const MAX_DESCRIPTION_CHARS = 300;

const formatNoteLine = (name: string, values: readonly string[] | undefined): string[] =>
  values === undefined || values.length === 0
    ? []
    : [`${name}: ${values.map(joinIntoOneLine).join(', ')}`];

/**
 * The context of a request for the model; empty without one. It precedes the message instead of
 * being part of the system prompt, whose bytes stay the same.
 */
export function formatContextNote(context: IntakeContext): string {
  const workflows = (context.availableWorkflows ?? []).map(
    ({ workflowPath, name, description }) =>
      `- ${joinIntoOneLine(workflowPath)}: ${joinIntoOneLine(name)}. ${joinIntoOneLine(description).slice(0, MAX_DESCRIPTION_CHARS)}`,
  );
  const lines = [
    ...formatNoteLine('Repositories', context.recentRepos),
    ...formatNoteLine('Reviewers asked lately', context.recentReviewers),
    ...(workflows.length === 0 ? [] : ['Workflows that can be run:', ...workflows]),
    ...(context.userLocale === undefined
      ? []
      : [
          `Answer in the language of the developer; their locale is ${joinIntoOneLine(context.userLocale)}.`,
        ]),
  ];
  return lines.length === 0 ? '' : `[For this conversation]\n${lines.join('\n')}`;
}

/** A person's edit for the model, in the first turn after it; empty without one. */
export const formatEditNote = (findings: string | null): string =>
  findings === null
    ? ''
    : `[The developer has edited the findings. This is the text now; keep what they wrote:]\n<findings-now>\n${findings.replace(/<(?=\/?findings)/gi, '&lt;')}\n</findings-now>`;
