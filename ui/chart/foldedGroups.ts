import type { ChartNode } from '../../src/contract/schema/workflow/machine.ts';
import { flattenStates } from './picture/buildMachineGraph.ts';
import { buildStateFamily } from './picture/buildStateFamily.ts';

/** A chart with more states than this is first drawn with folded groups: else it fits no screen. */
const FOLDS_FROM = 8;

/** The groups of a chart that can be folded, outer ones first. */
export const listGroups = (root: ChartNode): string[] =>
  flattenStates(root).flatMap(({ path, states }) => (path !== '' && states.length > 0 ? path : []));

const countLeaves = (root: ChartNode): number =>
  flattenStates(root).filter(({ states }) => states.length === 0).length;

/**
 * The groups that are folded: those that a person chose, and at first all of a large chart.
 * `chosenGroups`: by path, whether it is to be folded. `shownPaths`: states that must be visible, whose groups
 * stay open.
 */
export function findFoldedGroups(
  root: ChartNode,
  chosenGroups: ReadonlyMap<string, boolean>,
  shownPaths: readonly string[],
): Set<string> {
  const family = buildStateFamily(root);
  const atFirst = countLeaves(root) > FOLDS_FROM;
  const holding = new Set(
    shownPaths.flatMap((path) => (family.has(path) ? family.listChain(path).slice(1) : [])),
  );
  return new Set(
    listGroups(root).filter((path) => chosenGroups.get(path) ?? (atFirst && !holding.has(path))),
  );
}

/** The box in which a state is drawn: the outermost folded group that holds it, or its own. */
export function findDrawnBox(root: ChartNode, folded: ReadonlySet<string>, path: string): string {
  const family = buildStateFamily(root);
  if (!family.has(path)) return path;
  return family.listChain(path).findLast((one) => folded.has(one)) ?? path;
}
