import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import { createFindings, type LintCode } from '../definition/findings.ts';
import type { ParsedWorkflow } from '../definition/parseWorkflow.ts';

/** What a workflow is known by. */
export interface KnownWorkflow {
  file: string;
  id: string;
  label: string;
}

/**
 * Workflows that share an id, by which a sub-run's `lane` and people who start jobs name them, or a
 * label, by which lists show them. `others` are not reported themselves.
 */
export function findNameClashes(
  parsed: readonly ParsedWorkflow[],
  others: readonly KnownWorkflow[] = [],
): Diagnostic[] {
  const taken = (key: 'id' | 'label') => new Map(others.map((one) => [one[key], one.file]));
  const ids = taken('id');
  const labels = taken('label');
  return parsed.flatMap(({ file, meta, places }) => {
    const findings = createFindings(file);
    const check = (known: Map<string, string>, code: LintCode, key: 'id' | 'label') => {
      const other = known.get(meta[key]);
      if (other === undefined) known.set(meta[key], file);
      else
        findings.warning(
          code,
          places[key],
          `The ${key} ${meta[key]} is already used by ${other}.`,
          key === 'id'
            ? 'Give each workflow its own id; the default is the name of the file.'
            : 'Give each workflow its own label; lists show nothing else.',
        );
      return other !== undefined;
    };
    // Without an own label it follows from the id: one mistake, one finding.
    const same = check(ids, 'duplicate-id', 'id');
    if (!same) check(labels, 'duplicate-label', 'label');
    return findings.list;
  });
}
