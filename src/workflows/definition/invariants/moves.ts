import { toApprovedWord, toPhaseWord } from '../../../base/invariants/invariant.ts';
import type { MappedPhase, PhaseMap } from './buildPhaseMap.ts';

/**
 * - `work`: an agent is at work in the phase; without one, the phase is passed at once.
 * - `waits`: its agent has called await_event.
 * - `approval`: it waits for a person to approve it.
 * - `subRuns`: it waits for its sub-runs.
 * - `stopped`: it has failed, escalated, is paused, or was held back: a person continues it.
 * - `complete`: the job has ended.
 * - `rerun`, `goto`, `approve`, `wake`: someone names the phase that begins, which may be any one up to
 *   that of the place. A way that many places share keeps the proof small.
 */
export type Stage = 'work' | 'waits' | 'approval' | 'subRuns' | 'stopped' | 'complete' | Choice;
type Choice = 'rerun' | 'goto' | 'approve' | 'wake';

export interface JobPlace {
  stage: Stage;
  phase: number;
  /** Kinds of moves, named as in scripts; see `renderProofScript.ts`. */
  approved: number;
  opened: boolean;
}

/** What happens, in the words of scripts; see `renderProofScript.ts`. */
export type MoveKind =
  | 'end'
  | 'goto'
  | 'await'
  | 'error'
  | 'open-pr'
  | 'push'
  | 'merge'
  | 'call'
  | 'event'
  | 'message'
  | 'approve'
  | 'reject'
  | 'resume'
  | 'rerun'
  | 'sub-runs'
  | 'sub-run'
  | 'gate'
  /** Only a part of the next step, which says what is chosen. */
  | 'choose';

export interface Move {
  does: MoveKind;
  /** Kind of the event, name of the call, or how the agent named the next phase. */
  what?: string;
  /** Facts that become true before the next phase begins or the job ends. */
  facts: readonly string[];
  /** An act that a rule may forbid: an agent's act, or the end of the job. */
  act?: string;
  /** Number of the phase that begins with it. */
  begins?: number;
  /** The agent or a person asked for it and can be refused; otherwise it follows by itself. */
  asked: boolean;
  to: JobPlace;
}

const EVENTS: readonly (readonly [kind: string, fact: string])[] = [
  ['approved', 'approved(pr)'],
  ['check_failed', 'checks.red'],
  ['merged', 'merge'],
];

const GREEN: Omit<Move, 'to' | 'asked'> = {
  does: 'event',
  what: 'check_passed',
  facts: ['checks.green'],
};

const TOOL_OF: Partial<Record<MoveKind, string>> = {
  'open-pr': 'create_pr',
  push: 'create_pr',
  merge: 'merge_pr',
  await: 'await_event',
};

/** Calls with moves of their own. */
const OWN_MOVES: readonly string[] = ['merge_pr', 'create_pr', 'goto_phase', 'await_event'];

/**
 * The last phase that may begin from here: the next one whose checkpoint was not approved, this one
 * included unless it `isApproved`; else the last one.
 */
function findLastAllowedPhase(map: PhaseMap, here: JobPlace, isApproved: boolean): number {
  const blockedIndex = map.phases.findIndex(
    ({ checkpoint, bit }, index) =>
      index >= here.phase &&
      checkpoint &&
      !(index === here.phase ? isApproved : bit === 0 || (here.approved & bit) !== 0),
  );
  return blockedIndex < 0 ? map.phases.length - 1 : blockedIndex;
}

const CHOICES: Readonly<Record<Choice, Pick<Move, 'does' | 'what'>>> = {
  rerun: { does: 'rerun' },
  goto: { does: 'goto' },
  approve: { does: 'approve', what: 'goto' },
  wake: { does: 'event', what: 'commented' },
};

const isChoice = (stage: Stage): stage is Choice => Object.hasOwn(CHOICES, stage);

/** Everything that can happen at a place, in any order of agents, people and forges. */
export function listMoves(map: PhaseMap, here: JobPlace): Move[] {
  const phase = map.phases[here.phase];
  return phase ? new MoveCollector(map, here, phase).collectAll() : [];
}

interface Beginning {
  facts?: readonly string[];
  asked?: boolean;
  what?: string;
  approved?: number;
}

class MoveCollector {
  readonly #list: Move[] = [];
  readonly #map: PhaseMap;
  readonly #here: JobPlace;
  readonly #phase: MappedPhase;

  constructor(map: PhaseMap, here: JobPlace, phase: MappedPhase) {
    this.#map = map;
    this.#here = here;
    this.#phase = phase;
  }

  collectAll(): Move[] {
    const { stage, phase } = this.#here;
    const { resume } = this.#map;
    if (isChoice(stage)) {
      this.#collectChosen(stage);
      return this.#list;
    }
    if (stage === 'work') this.#work();
    if (stage === 'waits') this.#waits();
    if (stage === 'approval') this.#approval();
    if (stage === 'subRuns') this.#begin('sub-run', resume);
    if (stage === 'stopped') this.#begin('resume', phase, { facts: ['person'] });
    // A phase without an agent is over as soon as it begins.
    if (stage !== 'complete' && (stage !== 'work' || this.#phase.hasAgent)) this.#news();
    const isOver = stage === 'complete' || stage === 'subRuns';
    if (stage !== 'work') this.#choose('rerun', isOver, { facts: ['person'] });
    // A sub-run runs again, or the parent waits for registered ones.
    if (stage !== 'subRuns' && resume !== null && (this.#phase.parks || phase >= resume))
      this.#stay({ does: 'sub-runs', facts: [] }, { stage: 'subRuns' });
    return this.#list;
  }

  #begin(does: MoveKind, target: number | null, beginning: Beginning = {}): void {
    if (target === null) return;
    const { approved = this.#here.approved, facts = [], asked = false, ...rest } = beginning;
    const to: JobPlace = { ...this.#here, approved, stage: 'work', phase: target };
    this.#list.push({ does, facts, begins: target, asked, to, ...rest });
  }

  #stay(move: Omit<Move, 'to' | 'asked'>, to: Partial<JobPlace> = {}): void {
    this.#list.push({ ...move, asked: true, to: { ...this.#here, ...to } });
  }

  /** Adds the move to the next phase, or to the job's end. */
  #goOn(does: MoveKind, facts: readonly string[], approvedBits = this.#here.approved): void {
    const { next } = this.#phase;
    if (next !== null) {
      this.#begin(does, next, { facts, approved: approvedBits });
      return;
    }
    const to: JobPlace = { ...this.#here, approved: approvedBits, stage: 'complete' };
    this.#list.push({ does, facts, act: 'complete', asked: false, to });
    // The completion gate holds: a work item is open, or a message is unread.
    this.#begin('gate', this.#here.phase, { facts, approved: approvedBits });
  }

  /** Someone names the next phase. `isApproved`: this phase's checkpoint does not count. */
  #choose(stage: Choice, isApproved: boolean, { facts = [], approved }: Beginning = {}): void {
    const here = { ...this.#here, approved: approved ?? this.#here.approved };
    const to: JobPlace = {
      ...here,
      stage,
      phase: findLastAllowedPhase(this.#map, here, isApproved),
    };
    this.#list.push({ does: 'choose', what: stage, facts, asked: true, to });
  }

  #collectChosen(stage: Choice): void {
    const { phase, opened } = this.#here;
    const { does, what } =
      stage === 'wake' && !opened ? { does: 'message' as const, what: 'resume' } : CHOICES[stage];
    const facts = does === 'message' ? ['person'] : [];
    for (let target = 0; target <= phase; target++)
      this.#begin(does, target, { facts, asked: true, ...(what === undefined ? {} : { what }) });
  }

  #gotos(stage: 'goto' | 'approve', beginning: Beginning = {}): void {
    if (this.#map.offers(this.#phase, 'goto_phase')) this.#choose(stage, true, beginning);
  }

  #news(): void {
    if (!this.#here.opened) return;
    for (const [what, fact] of EVENTS) this.#stay({ does: 'event', what, facts: [fact] });
  }

  #work(): void {
    const { hasAgent, checkpoint, inAdvance, reader, name, bit } = this.#phase;
    this.#stay({ does: 'error', facts: [] }, { stage: 'stopped' });
    if (hasAgent) this.#calls();
    if (checkpoint) {
      this.#stay({ does: 'end', facts: [] }, { stage: 'approval' });
      this.#begin('message', reader, { facts: ['person'] });
      return;
    }
    const facts = inAdvance ? [toApprovedWord(name)] : [];
    this.#goOn('end', facts, this.#here.approved | bit);
    this.#gotos('goto', { facts, approved: this.#here.approved | bit });
  }

  #calls(): void {
    const offers = (tool: string): boolean => this.#map.offers(this.#phase, tool);
    const { opened } = this.#here;
    if (offers('create_pr')) {
      this.#stay({ does: 'open-pr', facts: ['pr.opened', 'push'], act: 'push' }, { opened: true });
      if (opened) this.#stay({ does: 'push', facts: ['push'], act: 'push' });
    }
    if (offers('merge_pr')) this.#stay({ does: 'merge', facts: ['merge'], act: 'merge' });
    if (offers('await_event')) {
      this.#stay({ does: 'await', facts: [] }, { stage: 'waits' });
      if (opened) this.#stay(GREEN);
    }
    for (const tool of this.#map.watched)
      if (!OWN_MOVES.includes(tool) && offers(tool))
        this.#stay({ does: 'call', what: tool, facts: [] });
    this.#stay({ does: 'message', facts: ['person'] });
  }

  #waits(): void {
    const { phase, opened } = this.#here;
    const { checkpoint, after } = this.#phase;
    this.#begin('message', phase, { facts: ['person'] });
    if (opened) {
      this.#stay(GREEN);
      for (const [what, fact] of [...EVENTS, ['check_passed', 'checks.green'] as const])
        if (what !== 'merged') this.#begin('event', phase, { what, facts: [fact] });
      this.#begin('event', phase, { what: 'closed', facts: [] });
      const merged = { what: 'merged', facts: ['merge'] };
      if (checkpoint) this.#stay({ does: 'event', ...merged }, { stage: 'approval' });
      else this.#begin('event', after, merged);
      // If another pull request is open.
      this.#begin('event', phase, merged);
    }
    // The phase that its await_event named.
    if (!checkpoint) this.#choose('wake', true);
  }

  #approval(): void {
    const { name, bit, reader } = this.#phase;
    const facts = ['person', toApprovedWord(name)];
    const approvedBits = this.#here.approved | bit;
    this.#goOn('approve', facts, approvedBits);
    this.#gotos('approve', { facts, approved: approvedBits });
    this.#begin('reject', reader, { facts: ['person'] });
    this.#begin('message', reader, { facts: ['person'] });
  }
}

/** Acts before a move's facts, as rules name them. */
export function listActsBefore({ does, what, act }: Move): string[] {
  const isGoto = does === 'choose' && (what === 'goto' || what === 'approve');
  const tool = does === 'call' ? what : isGoto ? 'goto_phase' : TOOL_OF[does];
  return [
    ...(tool === undefined ? [] : [`tool(${tool})`]),
    ...(act === undefined || act === 'complete' ? [] : [act]),
  ];
}

/** The act that follows from a move, as rules name it. */
export function findActAfter(map: PhaseMap, { act, begins }: Move): string | null {
  if (act === 'complete') return act;
  const name = begins === undefined ? undefined : map.phases[begins]?.name;
  return name === undefined ? null : toPhaseWord(name);
}
