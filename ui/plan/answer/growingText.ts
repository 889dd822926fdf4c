import { lexBoundedBlocks } from '../../shell/markdown/lexBounded.ts';

/** Blocks at the end of a text that may still become something else: a list may get items. */
const OPEN_BLOCKS = 2;

const OPENING = /^ {0,3}(`{3,}|~{3,})([^\n]*)\n/;

/** A text that grows, cut where its first part will not change any more. */
interface SettledText {
  blocks: string[];
  tail: string;
}

/** Blocks of a text that is not over. Line ends are `\n`. */
export function splitSettledBlocks(text: string): SettledText {
  const raws = lexBoundedBlocks(text).map(({ raw }) => raw);
  // An open fence takes everything up to the end, so what is before it is settled.
  const open = findOpenFence(raws.at(-1) ?? '') === null ? OPEN_BLOCKS : 1;
  const blocks = raws.slice(0, -open);
  const settledLength = blocks.reduce((length, raw) => length + raw.length, 0);
  // If the lexer has changed the text, its blocks cannot be cut out.
  if (!text.startsWith(blocks.join(''))) return { blocks: [], tail: text };
  return { blocks, tail: text.slice(settledLength) };
}

/**
 * The first blocks of a long text: about `characters`, or more if the first block is longer. A
 * shorter text is returned unchanged.
 */
export function takeFirstBlocks(text: string, characters: number): SettledText {
  for (let size = characters; size < text.length; size *= 2) {
    const { blocks, tail } = splitSettledBlocks(text.slice(0, size));
    if (blocks.length > 0) return { blocks, tail: tail + text.slice(size) };
  }
  return { blocks: [], tail: text };
}

export const listAnswerBlocks = (text: string): string[] =>
  lexBoundedBlocks(text).map(({ raw }) => raw);

/** The code of a fence that is open at the end of a text which begins with it; null = none is. */
export function findOpenFence(text: string): { language: string; code: string } | null {
  const [opening, marks = '', language = ''] = OPENING.exec(text) ?? [];
  if (opening === undefined) return null;
  const code = text.slice(opening.length);
  const mark = marks.charAt(0);
  const closing = new RegExp(`^ {0,3}${mark}{${marks.length},}[ \\t]*$`, 'm');
  return closing.test(code) ? null : { language: language.trim(), code };
}

/** How long settled blocks are drawn in one task, ms. */
const TASK_MS = 10;
/** Most characters that are cut into blocks in one task: about 5 ms. */
const CUT_CHARACTERS = 8_000;
/** A tail that is slow to draw is drawn less often: it waits this many times its drawing time. */
const REST = 4;
/** A tail that is drawn faster is drawn with every change, ms. */
const QUICK_MS = 8;
/** A definition of a link: `[name]: address`. */
const DEFINITION = /^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*\S[^\n]{0,500}$/gm;

interface GrowingTextOptions {
  place: HTMLElement;
  /** One block, finished; the definitions of links are behind it. */
  render: (block: string) => Node;
  now: () => number;
  schedule: (act: () => void, ms: number) => () => void;
}

/**
 * Markdown that grows. A block that is settled is drawn once and its elements are never touched
 * again, so that a selection in it survives; only the end is drawn with each change. The one
 * exception is a block with a link that is defined later: it is drawn again when the text is over.
 */
export class GrowingText {
  private readonly options: GrowingTextOptions;
  /** Text before this place is settled. */
  private settledTo = 0;
  private text = '';
  private over = false;
  private waiting: string[] = [];
  private readonly drawn: { block: string; part: HTMLElement; definitions: string }[] = [];
  private readonly tail = document.createElement('div');
  private quietUntil = 0;
  private stopWait: (() => void) | null = null;

  constructor(options: GrowingTextOptions) {
    this.options = options;
    this.tail.className = 'slice';
    options.place.replaceChildren(this.tail);
  }

  /** Shows the text; `over`: nothing will follow. */
  show(text: string, over: boolean): void {
    const next = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
    if (!next.startsWith(this.text.slice(0, this.settledTo))) this.begin();
    this.text = next;
    this.over = over;
    this.draw();
  }

  stop(): void {
    this.stopWait?.();
    this.stopWait = null;
  }

  private begin(): void {
    this.settledTo = 0;
    this.waiting = [];
    this.drawn.length = 0;
    this.options.place.replaceChildren(this.tail);
  }

  private draw(): void {
    const { now } = this.options;
    const end = now() + TASK_MS;
    const isCut = this.settle();
    while (this.waiting.length > 0 && now() < end) this.drawBlock(this.waiting.shift() ?? '');
    if (this.waiting.length > 0 || !isCut) this.drawLater(0);
    else if (this.over) this.finish();
    else if (now() < this.quietUntil) this.drawLater(this.quietUntil - now());
    else this.drawEnd();
  }

  private drawEnd(): void {
    const { now } = this.options;
    const began = now();
    this.drawTail();
    const took = now() - began;
    this.quietUntil = took > QUICK_MS ? now() + took * REST : 0;
  }

  private drawLater(ms: number): void {
    if (this.stopWait) return;
    this.stopWait = this.options.schedule(() => {
      this.stopWait = null;
      this.draw();
    }, ms);
  }

  /** Cuts what is new into blocks; false when there is more than fits into one task. */
  private settle(): boolean {
    const rest = this.text.slice(this.settledTo);
    if (rest === '' || (!this.over && findOpenFence(rest))) return true;
    const first = takeFirstBlocks(rest, CUT_CHARACTERS);
    if (first.blocks.length > 0) {
      this.take(first);
      return false;
    }
    this.take(this.over ? { blocks: listAnswerBlocks(rest), tail: '' } : splitSettledBlocks(rest));
    return true;
  }

  private take({ blocks, tail }: SettledText): void {
    this.waiting.push(...blocks.filter((block) => block.trim() !== ''));
    this.settledTo = this.text.length - tail.length;
  }

  private definitions(): string {
    return (this.text.match(DEFINITION) ?? []).join('\n');
  }

  private drawBlock(block: string): void {
    const part = document.createElement('div');
    part.className = 'slice';
    const definitions = this.definitions();
    part.append(this.options.render(`${block}\n\n${definitions}`));
    this.tail.before(part);
    this.tail.replaceChildren();
    this.drawn.push({ block, part, definitions });
  }

  private drawTail(): void {
    const text = this.text.slice(this.settledTo);
    const fence = findOpenFence(text);
    if (fence) this.drawOpenFence(fence.code);
    else this.tail.replaceChildren(this.options.render(`${text}\n\n${this.definitions()}`));
  }

  /** Code without colours, to which text is added. */
  private drawOpenFence(code: string): void {
    const child = this.tail.querySelector('pre.open > code')?.firstChild;
    if (child instanceof Text && code.startsWith(child.data)) {
      child.appendData(code.slice(child.data.length));
      return;
    }
    const pre = document.createElement('pre');
    pre.className = 'open';
    pre.tabIndex = 0;
    const inner = document.createElement('code');
    inner.append(document.createTextNode(code));
    pre.append(inner);
    this.tail.replaceChildren(pre);
  }

  private finish(): void {
    this.tail.replaceChildren();
    const names = [...this.text.matchAll(DEFINITION)].map(([, name = '']) => name.toLowerCase());
    if (names.length === 0) return;
    const definitions = this.definitions();
    for (const one of this.drawn) {
      const text = one.block.toLowerCase();
      if (one.definitions === definitions || !names.some((name) => text.includes(`[${name}]`)))
        continue;
      one.definitions = definitions;
      one.part.replaceChildren(this.options.render(`${one.block}\n\n${definitions}`));
    }
  }
}
