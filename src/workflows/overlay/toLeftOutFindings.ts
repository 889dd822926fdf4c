import { escapeHidden } from '../../base/text/escapeHidden.ts';
import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import { createFindings } from '../definition/findings.ts';
import type { LayerName, LeftOutItem } from './layer.ts';

/** If at least this many have the same reason, one finding covers all of them. */
const MOST_ALIKE = 5;

/** Groups items for people: many with the same reason become one. */
export function groupLeftOutItems<One extends LeftOutItem>(leftOut: readonly One[]): One[] {
  const byReason = new Map<string, One[]>();
  for (const one of leftOut) byReason.set(one.reason, [...(byReason.get(one.reason) ?? []), one]);
  return [...byReason.values()].flatMap((alike) => {
    const [first] = alike;
    if (!first || alike.length <= MOST_ALIKE) return alike;
    const reason = `${first.reason} (as ${alike.length - 1} others are not used)`;
    return [{ ...first, reason }];
  });
}

/** Faulty items of a layer as findings: one each, or one for many with the same reason. */
export const toLeftOutFindings = (leftOut: readonly LeftOutItem[]): Diagnostic[] =>
  groupLeftOutItems(leftOut).flatMap(({ path, reason, hint }) => {
    const findings = createFindings(path);
    findings.addWarning('left-out', { line: 1, column: 1 }, `It is not used: ${reason}.`, hint);
    return findings.list;
  });

/** One sentence and a hint. */
export const describeLeftOutItem = (
  { path, reason, hint }: LeftOutItem,
  layer: LayerName | null = null,
): string =>
  `${escapeHidden(path)}${layer === null ? '' : ` of the ${layer} layer`} is not used: ${reason}. ${hint}`;
