import { findActAfter, listActsBefore, type Move, listMoves, type JobPlace } from './moves.ts';
import type { MappedPhase, PhaseMap } from './buildPhaseMap.ts';

export interface PathStep {
  move: Move;
  phase: string;
  to: JobPlace;
}

/** A place with a number for a fast search. */
export interface NumberedPlace {
  id: number;
  place: JobPlace;
}

/** A move from a place, with all that a search needs. */
export interface PlaceTransition {
  move: Move;
  step: PathStep;
  before: readonly string[];
  after: string | null;
  to: NumberedPlace;
  /** The job's place if a rule refuses what follows; null = unchanged. */
  held: NumberedPlace | null;
}

/** A person's rerun and an agent's goto_phase are refused when requested. */
const isRefusedAtOnce = ({ does }: Move): boolean => does === 'rerun' || does === 'goto';

export class PlaceGraph {
  readonly map: PhaseMap;
  readonly #spots = new Map<string, NumberedPlace>();
  readonly #ways = new Map<number, readonly PlaceTransition[]>();

  constructor(map: PhaseMap) {
    this.map = map;
  }

  /** The first place of a job, and the move that begins it. */
  start({ phase: name, opened = false }: { phase?: string; opened?: boolean }): {
    first: PlaceTransition;
    at: NumberedPlace;
  } {
    const phaseIndex = this.map.phases.findIndex((one) => one.name === name);
    const phase = phaseIndex < 0 ? this.map.initial : phaseIndex;
    const at = this.#toNumberedPlace({ stage: 'work', phase, approved: 0, opened });
    const move: Move = { does: 'resume', facts: [], begins: phase, asked: false, to: at.place };
    return { at, first: this.#toTransition(move, at) };
  }

  phaseAt({ place }: NumberedPlace): MappedPhase | undefined {
    return this.map.phases[place.phase];
  }

  waysFrom(from: NumberedPlace): readonly PlaceTransition[] {
    const placeTransitions = this.#ways.get(from.id);
    if (placeTransitions) return placeTransitions;
    const ways = listMoves(this.map, from.place)
      .map((move) => this.#toTransition(move, from))
      .filter(({ move, before, after, to }) => {
        const doesNothing = move.facts.length === 0 && before.length === 0 && after === null;
        return !(doesNothing && to === from);
      });
    this.#ways.set(from.id, ways);
    return ways;
  }

  #toTransition(move: Move, from: NumberedPlace): PlaceTransition {
    const after = findActAfter(this.map, move);
    const toHeldPlace = (): JobPlace | null => {
      // A phase that may not begin waits for a person; a job that may not end reruns its phase.
      if (after === 'complete') return { ...from.place, stage: 'work' };
      return after === null || isRefusedAtOnce(move) ? null : { ...move.to, stage: 'stopped' };
    };
    const place = toHeldPlace();
    return {
      move,
      step: { move, phase: this.phaseAt(from)?.name ?? '', to: move.to },
      before: listActsBefore(move),
      after,
      to: this.#toNumberedPlace(move.to),
      held: place && this.#toNumberedPlace(place),
    };
  }

  #toNumberedPlace(place: JobPlace): NumberedPlace {
    const key = `${place.stage}.${place.phase}.${place.approved}.${place.opened ? 1 : 0}`;
    const numberedPlace = this.#spots.get(key);
    if (numberedPlace) return numberedPlace;
    const spot = { id: this.#spots.size, place };
    this.#spots.set(key, spot);
    return spot;
  }
}
