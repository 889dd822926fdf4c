import type { DecisionRecord } from '../../src/contract/schema/policy/decisionRecord.ts';
import type { Graph, GraphNode } from './picture/graph.ts';

/** What the box of a flagged phase says beside its name. */
export const FLAGGED = 'flagged';

type RatedPhaseVisit = Pick<DecisionRecord, 'phase' | 'visit' | 'rating' | 'flag'>;

/** The newest rating of each phase that has one. `records`: oldest first. */
function pickNewestRatings(records: readonly RatedPhaseVisit[]): Map<string, RatedPhaseVisit> {
  return new Map(
    records.filter(({ rating }) => rating !== null).map((record) => [record.phase, record]),
  );
}

/** The phases whose newest rating flags them: a later visit that is rated well takes the mark away. */
export const listFlaggedPhases = (records: readonly RatedPhaseVisit[]): string[] =>
  [...pickNewestRatings(records).values()].flatMap(({ phase, flag }) =>
    flag === null ? [] : phase,
  );

/** The flag of the visit that the job is in, with its reason; undefined = none. */
export function findVisitFlag(
  records: readonly RatedPhaseVisit[],
  visit: number,
): { phase: string; why: string } | undefined {
  const last = records.findLast(({ rating }) => rating !== null);
  return last && last.flag !== null && last.visit === visit
    ? { phase: last.phase, why: last.flag }
    : undefined;
}

/** The same graph with a word in the boxes of these states. */
export function withPhaseFlags(graph: Graph, paths: readonly string[]): Graph {
  const flagNode = (node: GraphNode): GraphNode => ({
    ...node,
    tags: paths.includes(node.id) ? [...node.tags, FLAGGED] : node.tags,
    children: node.children.map(flagNode),
  });
  return { ...graph, nodes: graph.nodes.map(flagNode) };
}
