import { MAX_FINDINGS_CHARS } from '../limits/intakeLimits.ts';

/** Blocks of an answer that are not part of its visible text. */
export const BLOCK_TAGS = ['readiness', 'findings', 'run'] as const;
export type BlockTag = (typeof BLOCK_TAGS)[number];

/**
 * A part of an answer, in order. `body` pieces of a block come while it is open, `close` repeats
 * the whole body. `closed` false: the answer ended before the closing tag. `cut`: the body was
 * longer than MAX_FINDINGS_CHARS, the rest is dropped.
 */
export type AnswerPiece =
  | { kind: 'text'; text: string }
  | { kind: 'open'; tag: BlockTag }
  | { kind: 'body'; tag: BlockTag; text: string }
  | { kind: 'close'; tag: BlockTag; body: string; closed: boolean; cut: boolean };

/** Characters of a line that are kept to recognise a fence. */
const LINE_CHARS = 1_000;
/** A fence, also in a list or a quotation. */
const FENCE = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*(`{3,}|~{3,})(.*)$/s;
const INDENT = /^ {0,3}/;

type TagMatch = 'no' | 'maybe' | number;

/** Whether `text` begins with `tag` at `at`: where it ends, or `maybe` where the text ends first. */
const matchTagAt = (text: string, at: number, tag: string): TagMatch => {
  const part = text.slice(at, at + tag.length).toLowerCase();
  if (part === tag) return at + tag.length;
  return part.length < tag.length && tag.startsWith(part) ? 'maybe' : 'no';
};

/**
 * Splits an answer that arrives in chunks into visible text and hidden blocks. How the answer is cut
 * into chunks makes no difference.
 *
 * An opening tag counts as the first thing of a line (up to three spaces before it), outside of a
 * fence; case does not matter, attributes make it text. A line end directly after a tag belongs to
 * the tag. A block ends at its closing tag; in findings not at one in a fence or in inline code.
 * Other tags in a block are text. Only what may become a tag is held back: at most 13 characters.
 */
export class BlockSplitter {
  private held = '';
  private tag: BlockTag | null = null;
  private body = '';
  private cut = false;
  /** The current line as far as it is read; empty at its start. */
  private line = '';
  /** Backticks in it so far. */
  private ticks = 0;
  private fence: string | null = null;
  private afterTag = false;
  private first = true;
  private out: AnswerPiece[] = [];

  push(chunk: string): AnswerPiece[] {
    let text = this.held + chunk;
    this.held = '';
    if (this.first && text !== '') {
      this.first = false;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    let at = 0;
    while (at < text.length) at = this.step(text, at);
    return this.takePieces();
  }

  end(): AnswerPiece[] {
    if (this.held !== '') this.say(this.held);
    this.held = '';
    if (this.tag !== null) this.close(false);
    return this.takePieces();
  }

  private takePieces(): AnswerPiece[] {
    const out = this.out;
    this.out = [];
    return out;
  }

  private step(text: string, at: number): number {
    if (this.afterTag) {
      const end = /^\r?\n/.exec(text.slice(at, at + 2));
      if (end === null && text.slice(at) === '\r') return this.hold(text, at);
      this.afterTag = false;
      if (end !== null) return at + end[0].length;
    }
    const next = this.tag === null ? this.findOpening(text, at) : this.findClosing(text, at);
    if (next !== null) return next;
    return this.plain(text, at);
  }

  private hold(text: string, at: number): number {
    this.held = text.slice(at);
    return text.length;
  }

  private findOpening(text: string, at: number): number | null {
    if (this.line !== '' || this.fence !== null) return null;
    const start = at + (INDENT.exec(text.slice(at, at + 3))?.[0].length ?? 0);
    for (const tag of BLOCK_TAGS) {
      const end = matchTagAt(text, start, `<${tag}>`);
      if (end === 'no') continue;
      if (end === 'maybe') return this.hold(text, at);
      this.tag = tag;
      this.body = '';
      this.cut = false;
      this.afterTag = true;
      this.out.push({ kind: 'open', tag });
      return end;
    }
    return null;
  }

  private findClosing(text: string, at: number): number | null {
    if (this.tag === null || text[at] !== '<') return null;
    if (this.tag === 'findings' && (this.fence !== null || this.ticks % 2 === 1)) return null;
    const end = matchTagAt(text, at, `</${this.tag}>`);
    if (end === 'no') return null;
    if (end === 'maybe') return this.hold(text, at);
    this.close(true);
    this.afterTag = true;
    return end;
  }

  private close(closed: boolean): void {
    if (this.tag === null) return;
    this.out.push({ kind: 'close', tag: this.tag, body: this.body, closed, cut: this.cut });
    this.tag = null;
    this.newLine();
    this.fence = null;
  }

  private newLine(): void {
    this.line = '';
    this.ticks = 0;
  }

  /** Takes what is certainly not a tag: up to the next line or `<`, at least one character. */
  private plain(text: string, at: number): number {
    let end = at + 1;
    if (text[at] !== '\n') {
      while (end < text.length && text[end] !== '\n' && (text[end] !== '<' || this.tag === null))
        end += 1;
    }
    const block = text.slice(at, end);
    this.say(block);
    if (block === '\n') this.endLine();
    else {
      this.line = (this.line + block).slice(0, LINE_CHARS);
      this.ticks += block.split('`').length - 1;
    }
    return end;
  }

  private endLine(): void {
    const [, marks, info] = FENCE.exec(this.line) ?? [];
    this.newLine();
    if (marks === undefined || info === undefined) return;
    if (this.fence === null) {
      if (marks.startsWith('~') || !info.includes('`')) this.fence = marks;
    } else if (marks.startsWith(this.fence) && info.trim() === '') this.fence = null;
  }

  private say(text: string): void {
    if (this.tag === null) {
      this.out.push({ kind: 'text', text });
      return;
    }
    if (this.cut) return;
    const remainingChars = MAX_FINDINGS_CHARS - this.body.length;
    let excerpt = text.slice(0, remainingChars);
    this.cut = excerpt.length < text.length;
    if (excerpt.length === remainingChars && /[\uD800-\uDBFF]$/.test(excerpt)) {
      excerpt = excerpt.slice(0, -1);
      this.cut = true;
    }
    if (excerpt === '') return;
    this.body += excerpt;
    this.out.push({ kind: 'body', tag: this.tag, text: excerpt });
  }
}

/** What an answer says in its blocks. Null: it has no closed block with anything in it. */
export interface AnswerBlocks {
  visible: string;
  readiness: string | null;
  findings: string | null;
  run: string | null;
  /** The findings are longer than MAX_FINDINGS_CHARS: these are their beginning. */
  findingsCut: boolean;
  /** A run with which the answer ends, without its closing tag. */
  openRun: string | null;
}

/** Splits a whole answer; the last closed block of each kind counts, its body unchanged. */
export const splitBlocks = (text: string): AnswerBlocks => {
  const blocks: AnswerBlocks = {
    visible: '',
    readiness: null,
    findings: null,
    run: null,
    findingsCut: false,
    openRun: null,
  };
  const splitter = new BlockSplitter();
  for (const piece of [...splitter.push(text), ...splitter.end()]) {
    if (piece.kind === 'text') blocks.visible += piece.text;
    if (piece.kind !== 'close' || piece.body.trim() === '') continue;
    if (piece.closed) blocks[piece.tag] = piece.body;
    else if (piece.tag === 'run') blocks.openRun = piece.body;
    if (piece.closed && piece.tag === 'findings') blocks.findingsCut = piece.cut;
  }
  return blocks;
};
