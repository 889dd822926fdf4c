import { BlockSplitter, type AnswerPiece } from '../../src/base/agents/hiddenBlocks.ts';
import { INTAKE_MAX_TOOL_ROUNDS } from '../../src/base/limits/intakeLimits.ts';
import { findEndNote } from '../../src/base/agents/planNotes.ts';
import type { Evidence, EvidenceTrust } from '../../src/contract/schema/planning/evidence.ts';
import type { ChatTurn, TurnState } from '../../src/contract/schema/planning/intake.ts';
import type { IntakeFrame } from '../../src/contract/schema/planning/intakeFrames.ts';

/** A look-up as it is shown; `end` null: it is not over. */
export interface Lookup {
  /** Of the call; within its turn. */
  id: string;
  n: number;
  /** Of its turn, from 1; 0 = not known. */
  round: number;
  tool: string;
  target: string;
  end: { ok: boolean; ms: number; evidence: string; trust: EvidenceTrust; chars: number } | null;
}

/** A part of an answer, in the order in which it came. */
export type TurnPart =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'note'; text: string }
  | { kind: 'lookup'; lookup: Lookup };

export interface ShownTurn {
  n: number;
  message: string;
  state: TurnState;
  /** For people, where it has failed. */
  error: string | null;
  reason: string | null;
  parts: TurnPart[];
  /** Findings that the turn is writing; null = none, or they are written. */
  writing: string | null;
}

type SaidPart = { text: string } | { lookup: Lookup };

/** Reads the frames of one turn into what is shown of it. */
export class TurnReader {
  readonly turn: ShownTurn;
  private splitter = new BlockSplitter();
  /** What has come, so that it can be read again without what was void. */
  private said: SaidPart[] = [];

  constructor(turn: ShownTurn) {
    this.turn = turn;
  }

  take(frame: IntakeFrame): void {
    if (frame.type === 'token') this.text(frame.text);
    else if (frame.type === 'thinking') this.join('thinking', frame.text);
    else if (frame.type === 'note') this.turn.parts.push({ kind: 'note', text: frame.text });
    else if (frame.type === 'tool_start') this.begin(frame);
    else if (frame.type === 'tool_end') this.end(frame);
    else if (frame.type === 'again') this.dropSinceLookUp();
    else if (frame.type === 'done') this.finish(frame.state);
    else if (frame.type === 'error') {
      this.finish('failed');
      this.turn.error = frame.message;
      this.turn.reason = frame.reason ?? null;
    }
  }

  private text(text: string): void {
    const last = this.said.at(-1);
    if (last && 'text' in last) last.text += text;
    else this.said.push({ text });
    this.show(this.splitter.push(text));
  }

  private join(kind: 'text' | 'thinking', text: string): void {
    const last = this.turn.parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else this.turn.parts.push({ kind, text });
  }

  private begin(frame: Extract<IntakeFrame, { type: 'tool_start' }>): void {
    const { id, n, round, name, target } = frame;
    this.look({ id, n, round, tool: name, target, end: null });
  }

  private look(lookup: Lookup): void {
    this.said.push({ lookup });
    this.turn.parts.push({ kind: 'lookup', lookup });
  }

  private end(frame: Extract<IntakeFrame, { type: 'tool_end' }>): void {
    const { id, n, round, name, target, ok, ms, evidence, trust, chars } = frame;
    const end = { ok, ms, evidence, trust, chars };
    const turnPart = this.turn.parts.findLast(
      (part) => part.kind === 'lookup' && part.lookup.id === id,
    );
    if (turnPart?.kind === 'lookup') turnPart.lookup.end = end;
    else this.look({ id, n, round, tool: name, target, end });
  }

  /** Drops the text since the last look-up, which comes again. */
  private dropSinceLookUp(): void {
    while (this.said.length > 0 && 'text' in (this.said.at(-1) ?? {})) this.said.pop();
    const saidParts = this.said;
    this.said = [];
    this.splitter = new BlockSplitter();
    this.turn.writing = null;
    const from = this.turn.parts.findLastIndex(({ kind }) => kind === 'lookup') + 1;
    const aside = this.turn.parts.slice(from).filter(({ kind }) => kind !== 'text');
    this.turn.parts.splice(from, Number.POSITIVE_INFINITY, ...aside);
    // The parts up to here are shown already: only the splitter reads them again.
    for (const one of saidParts) {
      this.said.push(one);
      if ('text' in one) this.splitter.push(one.text);
    }
  }

  /** Nothing more comes. */
  finish(state: TurnState): void {
    this.show(this.splitter.end());
    this.turn.state = state;
    this.turn.writing = null;
  }

  private show(pieces: readonly AnswerPiece[]): void {
    for (const piece of pieces) {
      if (piece.kind === 'text') this.visible(piece.text);
      else if (piece.tag === 'findings') this.findings(piece);
    }
  }

  /** Drops blank lines between the parts. */
  private visible(text: string): void {
    if (text.trim() === '' && this.turn.parts.at(-1)?.kind !== 'text') return;
    this.join('text', text);
  }

  private findings(piece: Exclude<AnswerPiece, { kind: 'text' }>): void {
    if (piece.kind === 'open') this.turn.writing = '';
    else if (piece.kind === 'body') this.turn.writing = (this.turn.writing ?? '') + piece.text;
    else this.turn.writing = piece.closed ? piece.body : null;
  }
}

export const createEmptyTurn = (n: number, message: string, state: TurnState): ShownTurn => ({
  n,
  message,
  state,
  error: null,
  reason: null,
  parts: [],
  writing: null,
});

/** What is stored of a turn as the frames that would show it, with its look-ups in their places. */
export function toStoredFrames(
  { n, answer, thinking }: ChatTurn,
  evidence: readonly Evidence[],
): IntakeFrame[] {
  const frames: IntakeFrame[] = [];
  const shownChars = { answer: 0, thinking: 0 };
  const addText = (answerTo: number, thinkingTo: number): void => {
    const thought = thinking.slice(shownChars.thinking, thinkingTo);
    const text = answer.slice(shownChars.answer, answerTo);
    if (thought !== '') frames.push({ type: 'thinking', text: thought });
    if (text !== '') frames.push({ type: 'token', text });
    shownChars.answer = answerTo;
    shownChars.thinking = thinkingTo;
  };
  const turnEvidence = evidence.filter(({ turn }) => turn === n);
  for (const [index, lookup] of turnEvidence.entries()) {
    const { id, round, tool: name, target, ok, ms, trust, chars } = lookup;
    addText(lookup.answerAt, lookup.thinkingAt);
    const end = { ok, ms, evidence: id, trust, chars };
    frames.push({ type: 'tool_end', id, n: index + 1, round, name, target, ...end });
  }
  addText(answer.length, thinking.length);
  return frames;
}

export function toShownTurn(storedTurn: ChatTurn, evidence: readonly Evidence[]): ShownTurn {
  const { n, message, state, error, reason } = storedTurn;
  const turn = createEmptyTurn(n, message, state);
  const reader = new TurnReader(turn);
  for (const frame of toStoredFrames(storedTurn, evidence)) reader.take(frame);
  if (state !== 'running' && state !== 'queued') reader.finish(state);
  const ending = findEndNote(reason);
  if (ending !== null) turn.parts.push({ kind: 'note', text: ending });
  turn.error = error;
  turn.reason = reason;
  return turn;
}

/** How far the look-ups of a turn are, for people; empty = it has made none. */
export function describeLookupProgress({ parts }: Pick<ShownTurn, 'parts'>): string {
  const lookups = parts.flatMap((part) => (part.kind === 'lookup' ? [part.lookup] : []));
  if (lookups.length === 0) return '';
  const round = Math.max(...lookups.map((lookup) => lookup.round));
  const many = `${lookups.length} ${lookups.length === 1 ? 'look-up' : 'look-ups'}`;
  if (round === 0) return many;
  const of = `${many}, round ${round} of ${INTAKE_MAX_TOOL_ROUNDS}`;
  const closes = round >= INTAKE_MAX_TOOL_ROUNDS && lookups.every(({ end }) => end !== null);
  return closes ? `${of}, closing words` : of;
}
