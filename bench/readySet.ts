import type { Graph } from '../machines/index.ts';
import { advanceCampaign } from '../machines/subRuns/advanceCampaign.ts';
import { benchSpecs } from './campaign.ts';
import { median } from './statistics.ts';

const EDGES = 2;
const ROUNDS = 41;

/** Time of the dispatcher's loop over `nodes` sub-runs, half of them complete, ns per edge. */
export function readySetCost(nodes: number): number {
  const specs = benchSpecs(nodes, EDGES);
  const half = Math.floor(nodes / 2);
  const ownGraph: Graph = {
    names: specs.map(({ name }) => name),
    dependsOn: specs.map(({ dependsOn = [] }) => dependsOn),
    marks: 'c'.repeat(half) + 'p'.repeat(nodes - half),
    attempts: specs.map(() => 1),
  };
  // As it comes from the store: names that are equal are one string there.
  const graph = JSON.parse(JSON.stringify(ownGraph)) as Graph;
  const edges = graph.dependsOn.reduce((sum, names) => sum + names.length, 0);
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    const { dispatched } = advanceCampaign(graph, { cap: 100, policy: 'continue' });
    if (dispatched.length !== 100)
      throw new Error(`${dispatched.length} sub-runs begin, not as many as the cap lets`);
    return performance.now() - start;
  });
  return (median(times) / edges) * 1e6;
}
