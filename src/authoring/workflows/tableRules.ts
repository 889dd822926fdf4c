import type { WorkflowTable } from '../../schema/workflow.ts';
import { MAX_WORKFLOW_BYTES } from '../../domain/jobLimits.ts';
import type { Findings } from './findings.ts';
import type { Positions } from './positions.ts';

/** The table lives in the context of every job of the workflow, which is bounded. */
export function checkTable(table: WorkflowTable, positions: Positions, findings: Findings): void {
  const bytes = Buffer.byteLength(JSON.stringify(table));
  if (bytes <= MAX_WORKFLOW_BYTES) return;
  findings.error(
    'workflow-too-large',
    positions.key(['phases']),
    `The phases have ${bytes} bytes; the limit is ${MAX_WORKFLOW_BYTES}.`,
    'Use fewer phases, or shorten their obligations and lists of tools.',
  );
}

/** A parameter is required or optional, and named once. */
export function checkParamNames(
  { required = [], optional = [] }: { required?: readonly string[]; optional?: readonly string[] },
  positions: Positions,
  findings: Findings,
): void {
  const seen = new Set<string>();
  for (const [key, names] of Object.entries({ required, optional })) {
    for (const [index, name] of names.entries()) {
      if (seen.has(name)) {
        const place = positions.value(['createParams', key, index]);
        findings.warning(
          'duplicate-param',
          place,
          `The parameter ${name} is given twice.`,
          'Keep one of them.',
        );
      }
      seen.add(name);
    }
  }
}
