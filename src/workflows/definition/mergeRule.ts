import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';
import type { Findings } from './findings.ts';

/** Merge tools of any forge: `local_merge_pr`, `scm_merge_pr`. */
const MERGES = /\b[a-z][a-z0-9-]*_merge_pr\b/g;

/** Means the merge tool of the job's own forge in a list. */
const OWN_MERGE = 'scm_merge_pr';

const listsMergeTool = (phase: PhaseDefinition, tool: string): boolean =>
  (phase.tools ?? []).some((name) => name.endsWith(tool) || name.endsWith(OWN_MERGE));

/**
 * Warns if a text names a merge tool that no phase reading it lists: there it is not offered.
 * `phases`: those with an agent that reads the text; `firstLine`: the file's line where the text
 * begins.
 */
export function checkMergesInText(
  text: string,
  firstLine: number,
  phases: readonly PhaseDefinition[],
  findings: Findings,
): void {
  for (const [index, line] of text.split('\n').entries()) {
    for (const { 0: tool, index: column } of line.matchAll(MERGES)) {
      if (phases.some((phase) => listsMergeTool(phase, tool))) continue;
      const listedBy =
        phases.length === 0
          ? 'no phase lists'
          : `the tools of ${phases.map(({ name }) => name).join(', ')} do not list`;
      findings.addWarning(
        'merge-not-listed',
        { line: firstLine + index, column: column + 1 },
        `The text names ${tool}, which ${listedBy}: agents are not offered it.`,
        `Add ${tool} to the tools of the phase in which an agent should merge.`,
      );
    }
  }
}
