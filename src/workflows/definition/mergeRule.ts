import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';
import type { Findings } from './findings.ts';

/** The tools that merge, of whichever forge: `local_merge_pr`, `scm_merge_pr`. */
const MERGES = /\b[a-z][a-z0-9-]*_merge_pr\b/g;

/** In a list: the merge of the job's own forge, whichever that is. */
const OWN_MERGE = 'scm_merge_pr';

const listsMergeTool = (phase: PhaseDefinition, tool: string): boolean =>
  (phase.tools ?? []).some((name) => name.endsWith(tool) || name.endsWith(OWN_MERGE));

/**
 * Warns where a text names a tool that merges and none of the phases that read it lists that
 * tool: there it is not offered. `phases` are those with an agent that reads the text; `firstLine`
 * is the file's line that the text begins on.
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
      const reported =
        phases.length === 0
          ? 'no phase lists'
          : `the tools of ${phases.map(({ name }) => name).join(', ')} do not list`;
      findings.warning(
        'merge-not-listed',
        { line: firstLine + index, column: column + 1 },
        `The text names ${tool}, which ${reported}: agents are not offered it.`,
        `Add ${tool} to the tools of the phase in which an agent should merge.`,
      );
    }
  }
}
