import { findWritesToProblems } from '../../contract/schema/forge/parseWritesTo.ts';
import type { Coordinator, WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import type { Findings } from './findings.ts';
import { type KeyPath, type Positions, toKeyText } from './positions.ts';

const OF_SUB_RUNS: KeyPath = ['coordinator', 'subRunParamsDefault', 'writesTo'];

interface WritesTo {
  writesTo: readonly unknown[] | undefined;
  coordinator: Coordinator | null;
  /** False for the layer of an untrusted repository. */
  trusted: boolean;
}

function checkForm(list: unknown, path: KeyPath, positions: Positions, findings: Findings): void {
  for (const { index, message } of findWritesToProblems(list)) {
    const here = index === null ? path : [...path, index];
    findings.error(
      'writes-to-form',
      positions.value(here),
      `${toKeyText(here)} ${message}.`,
      'Name each place; patterns are not supported.',
    );
  }
}

/**
 * Checks what a workflow lets its agents and sub-runs write to, and returns the valid part: nothing
 * for an untrusted repository, since its authors could use svc's account elsewhere.
 */
export function checkWritesTo(
  { writesTo, coordinator, trusted }: WritesTo,
  positions: Positions,
  findings: Findings,
): Pick<WorkflowTable, 'writesTo' | 'coordinator'> {
  const { writesTo: ofSubRuns, ...others } = coordinator?.subRunParamsDefault ?? {};
  if (writesTo !== undefined) checkForm(writesTo, ['writesTo'], positions, findings);
  if (ofSubRuns !== undefined) checkForm(ofSubRuns, OF_SUB_RUNS, positions, findings);
  if (trusted) return { coordinator, ...(writesTo && { writesTo: writesTo.map(String) }) };
  for (const [list, path] of [
    [writesTo, ['writesTo']],
    [ofSubRuns, OF_SUB_RUNS],
  ] as const) {
    if (list === undefined) continue;
    findings.addWarning(
      'writes-to-not-trusted',
      positions.key(path),
      'The repository declares what its agents may write to, but its current version is not trusted, so this has no effect.',
      'Review it with svc trust show, or move the workflow into the tenant layer.',
    );
  }
  return { coordinator: coordinator && { ...coordinator, subRunParamsDefault: others } };
}
