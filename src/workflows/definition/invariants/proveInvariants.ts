import type { Invariant } from '../../../base/invariants/invariant.ts';
import {
  allowsAct,
  concernsAct,
  type Monitor,
  NOTHING_HAPPENED,
  advanceMonitor,
} from '../../../base/invariants/monitor.ts';
import type { WorkflowTable } from '../../../contract/schema/workflow/workflow.ts';
import {
  type PathStep,
  type NumberedPlace,
  PlaceGraph,
  type PlaceTransition,
} from './placeGraph.ts';
import {
  type MapOptions,
  type MappedPhase,
  type PhaseMap,
  buildPhaseMap,
} from './buildPhaseMap.ts';

/** Most places, monitors included, that a proof visits; a workflow with more is refused. */
export const MAX_PROOF_STATES = 20_000;

/**
 * - `proved`: no path breaks the rule. `by` the workflow: nothing ever tries to; by the guard: what
 *   tries is refused, and the job can end all the same.
 * - `counterexample`: the workflow itself leads there, or grants a call where the rule forbids it.
 * - `unreachable`: nothing that the rule is about can happen in this workflow.
 * - `prevents-completion`: a job that is held to the rule could never complete.
 * - `too-large`: not decided within {@link MAX_PROOF_STATES}.
 */
export type ProofResult =
  | 'proved'
  | 'counterexample'
  | 'unreachable'
  | 'prevents-completion'
  | 'too-large';

export interface Proof {
  invariant: Invariant;
  result: ProofResult;
  by: 'workflow' | 'guard' | null;
  /** The shortest path to a refusal by the rule; empty = none exists. */
  path: readonly PathStep[];
}

/** Where a proof begins; default: a new job. */
export interface ProofStart {
  /** Phase that the job begins with; default: the workflow's initial phase. */
  phase?: string;
  /** States of the rules' monitors, in order. */
  monitors?: readonly Monitor[];
  opened?: boolean;
}

interface Node {
  at: NumberedPlace;
  monitors: readonly Monitor[];
  before: Node | null;
  step: PathStep | null;
}

interface InvariantSightings {
  /** The rule applies to it. */
  concerned: boolean;
  /** The first refusals: of a request, and of what follows by itself. */
  refused: Node | null;
  broken: Node | null;
}

const NOTHING_SEEN: InvariantSightings = { concerned: false, refused: null, broken: null };

/** A choice and its result are one step. */
const tracePath = (node: Node): PathStep[] => {
  const steps: PathStep[] = [];
  for (let at: Node | null = node; at?.step; at = at.before) {
    const [next] = steps;
    if (at.step.move.does !== 'choose') steps.unshift(at.step);
    else if (next) steps[0] = { ...next, phase: at.step.phase };
  }
  return steps;
};

/** Whether the workflow offers the call by name where the rule always forbids it. */
function isGranted(map: PhaseMap, rule: Invariant, phase: MappedPhase): boolean {
  if ('tool' in rule) return map.lists(phase, rule.tool) && !rule.onlyIn.includes(phase.name);
  const isTotal = 'never' in rule && rule.unless.length === 0;
  return isTotal && rule.never === 'merge' && map.lists(phase, 'merge_pr');
}

/** One search over all moves with these rules. */
class Search {
  completes = false;
  tooLarge = false;
  readonly seen: readonly InvariantSightings[];
  readonly #untilComplete: boolean;
  readonly #spots: PlaceGraph;
  readonly #rules: readonly Invariant[];
  readonly #known = new Set<string>();
  readonly #queue: Node[] = [];

  constructor(spots: PlaceGraph, rules: readonly Invariant[], untilComplete: boolean) {
    this.#untilComplete = untilComplete;
    this.#spots = spots;
    this.#rules = rules;
    this.seen = rules.map(() => ({ ...NOTHING_SEEN }));
  }

  run(start: ProofStart): this {
    const { first, at } = this.#spots.start(start);
    const monitors = start.monitors ?? this.#rules.map(() => NOTHING_HAPPENED);
    this.#follow({ at, monitors, before: null, step: null }, first, true);
    for (let index = 0; index < this.#queue.length; index++) {
      const node = this.#queue[index];
      if (!node || (this.#untilComplete && this.completes)) break;
      if (this.#known.size > MAX_PROOF_STATES) {
        this.tooLarge = true;
        break;
      }
      for (const way of this.#spots.waysFrom(node.at)) this.#follow(node, way, false);
    }
    return this;
  }

  #follow(from: Node, way: PlaceTransition, isFirst: boolean): void {
    const { move, step, before, after } = way;
    const node = (at: NumberedPlace, monitors: readonly Monitor[]): Node => ({
      at,
      monitors,
      before: isFirst ? null : from,
      step: isFirst ? null : step,
    });
    let isAllowed = true;
    for (const act of before)
      if (!this.#allows(act, from, from.monitors, way, node)) isAllowed = false;
    if (!isAllowed) return;
    let { monitors } = from;
    for (const fact of move.facts) monitors = this.#step(monitors, fact);
    if (after === null) {
      this.#add(way.to, monitors, node);
    } else if (this.#allows(after, from, monitors, way, node)) {
      if (after === 'complete') this.completes = true;
      this.#add(way.to, this.#step(monitors, after), node);
    } else if (way.held !== null) {
      this.#add(way.held, monitors, node);
    }
  }

  #step(monitors: readonly Monitor[], fact: string): readonly Monitor[] {
    let isSame = true;
    const next = this.#rules.map((rule, index) => {
      const before = monitors[index] ?? NOTHING_HAPPENED;
      const after = advanceMonitor(rule, before, fact);
      if (after !== before) isSame = false;
      return after;
    });
    return isSame ? monitors : next;
  }

  /** Whether all rules allow the act; records each result. */
  #allows(
    act: string,
    from: Node,
    monitors: readonly Monitor[],
    { move, to }: PlaceTransition,
    node: (at: NumberedPlace, monitors: readonly Monitor[]) => Node,
  ): boolean {
    const here = this.#spots.phaseAt(from.at);
    let isAllowed = true;
    this.#rules.forEach((rule, index) => {
      const invariantSightings = this.seen[index];
      if (!invariantSightings || !here || !concernsAct(rule, act)) return;
      invariantSightings.concerned = true;
      if (allowsAct(rule, monitors[index] ?? NOTHING_HAPPENED, act, here.name)) return;
      isAllowed = false;
      // The job itself answers a person's request.
      if (move.does !== 'rerun') invariantSightings.refused ??= node(to, monitors);
      const follows = move.begins !== undefined && !move.asked && 'never' in rule;
      if (follows || isGranted(this.#spots.map, rule, here))
        invariantSightings.broken ??= node(to, monitors);
    });
    return isAllowed;
  }

  #add(
    at: NumberedPlace,
    monitors: readonly Monitor[],
    node: (at: NumberedPlace, monitors: readonly Monitor[]) => Node,
  ): void {
    const key = `${at.id}.${monitors.join()}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#queue.push(node(at, monitors));
  }
}

/**
 * Proves every rule over a workflow before a job follows it: everything that agents, people and
 * forges could do, in any order, with the monitors of the running job. Each rule is proved alone,
 * so that none relies on another; completion is checked with all of them. null = the workflow has
 * no first phase.
 */
export function proveInvariants(
  table: WorkflowTable,
  invariants: readonly Invariant[],
  { isInAdvance, ...start }: ProofStart & Partial<Pick<MapOptions, 'isInAdvance'>> = {},
): Proof[] | null {
  const watchedTools = invariants.flatMap((rule) => ('tool' in rule ? [rule.tool] : []));
  const map = buildPhaseMap(table, {
    watched: watchedTools,
    ...(isInAdvance ? { isInAdvance } : {}),
  });
  if (!map) return null;
  if (invariants.length === 0) return [];
  const spots = new PlaceGraph(map);
  const search = (rules: readonly Invariant[], untilComplete: boolean): Search => {
    const monitors = rules.map(
      (rule) => start.monitors?.[invariants.indexOf(rule)] ?? NOTHING_HAPPENED,
    );
    return new Search(spots, rules, untilComplete).run({ ...start, monitors });
  };
  const proofs = invariants.map((rule) => concludeProof(rule, search([rule], false)));
  const isEnough =
    !search([], true).completes || proofs.some(({ result }) => result === 'prevents-completion');
  if (isEnough || invariants.length === 1 || search(invariants, true).completes) return proofs;
  return proofs.map((proof) =>
    proof.result === 'proved' && proof.by === 'guard'
      ? { ...proof, result: 'prevents-completion', by: null }
      : proof,
  );
}

function concludeProof(invariant: Invariant, { seen, tooLarge, completes }: Search): Proof {
  const { concerned, refused, broken } = seen[0] ?? NOTHING_SEEN;
  const proof = (result: ProofResult, node: Node | null, by: Proof['by'] = null): Proof => ({
    invariant,
    result,
    by,
    path: node ? tracePath(node) : [],
  });
  if (broken) return proof('counterexample', broken);
  if (tooLarge) return proof('too-large', null);
  if (!completes && refused) return proof('prevents-completion', refused);
  if (!concerned) return proof('unreachable', null);
  return proof('proved', refused, refused ? 'guard' : 'workflow');
}
