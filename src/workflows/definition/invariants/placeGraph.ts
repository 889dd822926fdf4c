import { findActAfter, listActsBefore, type Move, listMoves, type JobPlace } from './moves.ts';
import type { MappedPhase, PhaseMap } from './buildPhaseMap.ts';

/** One step of a path, and where it leads. */
export interface PathStep {
  move: Move;
  /** The phase that it happens in. */
  phase: string;
  to: JobPlace;
}

/** A place with a number, so that a search recognises it quickly. */
export interface NumberedPlace {
  id: number;
  place: JobPlace;
}

/** A move from a spot, with all that a search asks of it. */
export interface PlaceTransition {
  move: Move;
  step: PathStep;
  /** What it does, in the words of rules: before its facts, and what follows from it. */
  before: readonly string[];
  after: string | null;
  to: NumberedPlace;
  /** Where the job is when a rule refuses what follows; null = nothing has happened then. */
  held: NumberedPlace | null;
}

/** A person's rerun and an agent's goto_phase are refused when they are asked for. */
const isRefusedAtOnce = ({ does }: Move): boolean => does === 'rerun' || does === 'goto';

/** The places of one workflow and the ways between them, each worked out once. */
export class PlaceGraph {
  readonly map: PhaseMap;
  readonly #spots = new Map<string, NumberedPlace>();
  readonly #ways = new Map<number, readonly PlaceTransition[]>();

  constructor(map: PhaseMap) {
    this.map = map;
  }

  /** The spot that a job begins at, and the way that begins it. */
  start({ phase: name, opened = false }: { phase?: string; opened?: boolean }): {
    first: PlaceTransition;
    at: NumberedPlace;
  } {
    const named = this.map.phases.findIndex((one) => one.name === name);
    const phase = named < 0 ? this.map.initial : named;
    const at = this.#spotOf({ stage: 'work', phase, approved: 0, opened });
    const move: Move = { does: 'resume', facts: [], begins: phase, asked: false, to: at.place };
    return { at, first: this.#wayOf(move, at) };
  }

  phaseAt({ place }: NumberedPlace): MappedPhase | undefined {
    return this.map.phases[place.phase];
  }

  waysFrom(from: NumberedPlace): readonly PlaceTransition[] {
    const known = this.#ways.get(from.id);
    if (known) return known;
    const ways = listMoves(this.map, from.place)
      .map((move) => this.#wayOf(move, from))
      .filter(({ move, before, after, to }) => {
        const doesNothing = move.facts.length === 0 && before.length === 0 && after === null;
        return !(doesNothing && to === from);
      });
    this.#ways.set(from.id, ways);
    return ways;
  }

  #wayOf(move: Move, from: NumberedPlace): PlaceTransition {
    const after = findActAfter(this.map, move);
    const held = (): JobPlace | null => {
      // A phase that may not begin waits for a person; a job that may not end runs its phase again.
      if (after === 'complete') return { ...from.place, stage: 'work' };
      return after === null || isRefusedAtOnce(move) ? null : { ...move.to, stage: 'stopped' };
    };
    const place = held();
    return {
      move,
      step: { move, phase: this.phaseAt(from)?.name ?? '', to: move.to },
      before: listActsBefore(move),
      after,
      to: this.#spotOf(move.to),
      held: place && this.#spotOf(place),
    };
  }

  #spotOf(place: JobPlace): NumberedPlace {
    const key = `${place.stage}.${place.phase}.${place.approved}.${place.opened ? 1 : 0}`;
    const known = this.#spots.get(key);
    if (known) return known;
    const spot = { id: this.#spots.size, place };
    this.#spots.set(key, spot);
    return spot;
  }
}
