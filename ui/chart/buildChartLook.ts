import type { ChartNode, MachineReply } from '../../src/contract/schema/workflow/machine.ts';
import { buildStateFamily } from './picture/buildStateFamily.ts';
import type { Graph } from './picture/graph.ts';
import type { ChartItem } from './chartItems.ts';
import { flattenStates } from './picture/buildMachineGraph.ts';
import { formatTrailSteps, type TrailStep } from './trail.ts';

/** Classes of what is drawn, by id; boxes and lines without a class are left out. */
export interface ChartLook {
  boxes: ReadonlyMap<string, string>;
  ways: ReadonlyMap<string, string>;
  edges: ReadonlyMap<string, string>;
  /** What is written at the corners of boxes, by id. */
  notes: ReadonlyMap<string, string>;
}

export interface ChartStanding {
  /** Paths of the leaf states that it is in; empty = nothing is lit. */
  state: readonly string[];
  open: MachineReply['open'];
  /** Paths of the leaf states that it would be in; empty = nothing was asked. */
  predicted: readonly string[];
  selected: ChartItem | null;
  /** Paths of the states of a loop without progress, in order; left out = none. */
  loop?: readonly string[] | undefined;
  /** A path to be shown; left out = none. */
  trail?: readonly TrailStep[] | undefined;
  /** Paths of the states that the decision layer has flagged; left out = none. */
  flagged?: readonly string[] | undefined;
}

class Classes extends Map<string, string> {
  add(id: string, name: string): void {
    const before = this.get(id);
    this.set(id, before === undefined ? name : `${before} ${name}`);
  }
}

/** What an agent may do in any phase; drawn are those of its instructions. */
const GOTO = 'tool.goto_phase';

/**
 * What is lit, open, predicted and chosen, as classes: `lit`, `now` (a leaf that it is in), `open`,
 * `depends`, `predicted`, `near`, `aim`, `loop`, `trail`,
 * `flagged`; `possible`: only an agent that decides so goes
 * there.
 */
export function buildChartLook(
  root: ChartNode,
  graph: Graph,
  { state, open, predicted, selected, loop = [], trail = [], flagged = [] }: ChartStanding,
): ChartLook {
  const [boxes, ways, edges] = [new Classes(), new Classes(), new Classes()];
  const family = buildStateFamily(root);
  for (const path of new Set(
    state.flatMap((leaf) => (family.has(leaf) ? family.listChain(leaf) : [])),
  ))
    boxes.add(path, 'lit');
  for (const leaf of state) boxes.add(leaf, 'now');
  for (const leaf of predicted) boxes.add(leaf, 'predicted');
  for (const path of flagged) boxes.add(path, 'flagged');
  for (const path of new Set(loop)) boxes.add(path, 'loop');
  const steps = new Set(loop.map((path, n) => `${loop.at(n - 1)} ${path}`));
  const trailPaths = trail.map(({ path }) => path);
  for (const path of new Set(trailPaths)) boxes.add(path, 'trail');
  const notes = new Map(trailPaths.map((path) => [path, formatTrailSteps(trail, path)]));
  // Unlike a loop it does not lead back to its beginning.
  const trodden = new Set(trailPaths.slice(1).map((path, n) => `${trailPaths[n]} ${path}`));

  const openness = new Map(open.map((one) => [one.arrow, one.open === true ? 'open' : 'depends']));
  for (const [arrow, name] of openness) ways.add(arrow, name);
  const events = new Map(
    flattenStates(root).flatMap(({ arrows }) =>
      arrows.map(({ id, event }) => [id, event] as const),
    ),
  );
  const chosenState = selected?.kind === 'box' ? selected.id : null;
  const chosenWay = selected?.kind === 'way' ? selected.id : null;
  for (const edge of graph.edges) {
    const arrows = [...edge.ways.map(({ arrow }) => arrow), ...edge.bundle];
    if (arrows.length > 0 && arrows.every((arrow) => events.get(arrow) === GOTO))
      edges.add(edge.id, 'possible');
    if (steps.has(`${edge.source} ${edge.target}`)) edges.add(edge.id, 'loop');
    if (trodden.has(`${edge.source} ${edge.target}`)) edges.add(edge.id, 'trail');
    const names = arrows.map((arrow) => openness.get(arrow));
    if (names.includes('open')) edges.add(edge.id, 'open');
    else if (names.includes('depends')) edges.add(edge.id, 'depends');
    const touches = chosenState === edge.source || chosenState === edge.target;
    if (touches || (chosenWay !== null && arrows.includes(chosenWay))) edges.add(edge.id, 'near');
  }
  const chosenArrow =
    chosenWay === null
      ? undefined
      : flattenStates(root)
          .flatMap(({ arrows }) => arrows)
          .find(({ id }) => id === chosenWay);
  for (const target of chosenArrow?.targets ?? []) boxes.add(target, 'aim');
  return { boxes, ways, edges, notes };
}
