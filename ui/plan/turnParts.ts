import { BlockSplitter, type Piece } from '../../src/domain/hiddenBlocks.ts';
import type { Evidence, EvidenceTrust } from '../../src/schema/evidence.ts';
import type { ChatTurn, TurnState } from '../../src/schema/intake.ts';
import type { IntakeFrame } from '../../src/schema/intakeFrames.ts';

/** A look-up as it is shown; `end` null: it is not over. */
export interface Lookup {
  /** Of the call; within its turn. */
  id: string;
  n: number;
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

/** A turn as the page shows it. */
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

type Said = { text: string } | { lookup: Lookup };

/** Reads the frames of one turn into what is shown of it. */
export class TurnReader {
  readonly turn: ShownTurn;
  private splitter = new BlockSplitter();
  /** What has come, so that it can be read again without what was void. */
  private said: Said[] = [];

  constructor(turn: ShownTurn) {
    this.turn = turn;
  }

  take(frame: IntakeFrame): void {
    if (frame.type === 'token') this.text(frame.text);
    else if (frame.type === 'thinking') this.join('thinking', frame.text);
    else if (frame.type === 'note') this.turn.parts.push({ kind: 'note', text: frame.text });
    else if (frame.type === 'tool_start') this.begin(frame);
    else if (frame.type === 'tool_end') this.end(frame);
    else if (frame.type === 'again') this.again();
    else if (frame.type === 'done') this.over(frame.state);
    else if (frame.type === 'error') {
      this.over('failed');
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

  private begin({ id, n, name, target }: Extract<IntakeFrame, { type: 'tool_start' }>): void {
    this.look({ id, n, tool: name, target, end: null });
  }

  /** What comes after a look-up begins a line, as in the stored answer. */
  private look(lookup: Lookup): void {
    this.said.push({ lookup });
    if (this.said.some((one) => 'text' in one)) this.show(this.splitter.push('\n\n'));
    this.turn.parts.push({ kind: 'lookup', lookup });
  }

  private end(frame: Extract<IntakeFrame, { type: 'tool_end' }>): void {
    const { id, n, name, target, ok, ms, evidence, trust, chars } = frame;
    const end = { ok, ms, evidence, trust, chars };
    const known = this.turn.parts.findLast(
      (part) => part.kind === 'lookup' && part.lookup.id === id,
    );
    if (known?.kind === 'lookup') known.lookup.end = end;
    else this.look({ id, n, tool: name, target, end });
  }

  /** The text since the last look-up comes again. */
  private again(): void {
    while (this.said.length > 0 && 'text' in (this.said.at(-1) ?? {})) this.said.pop();
    const kept = this.said;
    this.said = [];
    this.splitter = new BlockSplitter();
    this.turn.writing = null;
    const from = this.turn.parts.findLastIndex(({ kind }) => kind === 'lookup') + 1;
    const aside = this.turn.parts.slice(from).filter(({ kind }) => kind !== 'text');
    this.turn.parts.splice(from, Number.POSITIVE_INFINITY, ...aside);
    // The parts up to here are shown already: only the splitter reads them again.
    for (const one of kept) {
      this.said.push(one);
      if ('text' in one) this.splitter.push(one.text);
      else this.splitter.push('\n\n');
    }
  }

  private over(state: TurnState): void {
    this.show(this.splitter.end());
    this.turn.state = state;
    this.turn.writing = null;
  }

  private show(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      if (piece.kind === 'text') this.visible(piece.text);
      else if (piece.tag === 'findings') this.findings(piece);
    }
  }

  /** Blank lines between the parts are no parts. */
  private visible(text: string): void {
    if (text.trim() === '' && this.turn.parts.at(-1)?.kind !== 'text') return;
    this.join('text', text);
  }

  private findings(piece: Exclude<Piece, { kind: 'text' }>): void {
    if (piece.kind === 'open') this.turn.writing = '';
    else if (piece.kind === 'body') this.turn.writing = (this.turn.writing ?? '') + piece.text;
    else this.turn.writing = piece.closed ? piece.body : null;
  }
}

/** A turn that is about to come. */
export const emptyTurn = (n: number, message: string, state: TurnState): ShownTurn => ({
  n,
  message,
  state,
  error: null,
  reason: null,
  parts: [],
  writing: null,
});

/** A turn as it is stored: the look-ups first, since the order of texts and look-ups is not kept. */
export function storedTurn(stored: ChatTurn, evidence: readonly Evidence[]): ShownTurn {
  const turn = emptyTurn(stored.n, stored.message, stored.state);
  if (stored.thinking !== '') turn.parts.push({ kind: 'thinking', text: stored.thinking });
  const found = evidence.filter((one) => one.turn === stored.n);
  for (const [index, { id, tool, target, ok, ms, trust, chars }] of found.entries()) {
    const end = { ok, ms, evidence: id, trust, chars };
    turn.parts.push({ kind: 'lookup', lookup: { id, n: index + 1, tool, target, end } });
  }
  const reader = new TurnReader(turn);
  reader.take({ type: 'token', text: stored.answer });
  reader.take({
    type: 'done',
    state: 'done',
    rounds: stored.rounds,
    fallback: false,
    pinned: null,
  });
  turn.state = stored.state;
  turn.error = stored.error;
  turn.reason = stored.reason;
  return turn;
}
