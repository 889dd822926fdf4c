import type { HighlightReply, HighlightRequest } from './highlightTalk.ts';
import type { Token } from './tokens.ts';

/** Longest wait for the colours of a file, ms: an expression that never ends must not hold others. */
const PATIENCE_MS = 5_000;

interface Asked {
  request: HighlightRequest;
  answer: (lines: Token[][][]) => void;
}

let worker: Worker | undefined;
let isMissing = false;
let nextId = 1;
const queue: Asked[] = [];
let current: (Asked & { timer: number }) | undefined;

function end(lines: Token[][][]): void {
  clearTimeout(current?.timer);
  current?.answer(lines);
  current = undefined;
  next();
}

function stop(): void {
  worker?.terminate();
  worker = undefined;
}

function started(): Worker {
  if (worker) return worker;
  // A file of ours, as the page's policy demands; colours are found off the page's thread.
  worker = new Worker(new URL('./highlightWorker.ts', import.meta.url), { type: 'module' });
  // Without colours a diff is still a diff: what could not be loaded is not asked again.
  worker.addEventListener('error', () => {
    isMissing = true;
    stop();
    end([]);
  });
  worker.addEventListener('message', ({ data }: MessageEvent<HighlightReply>) => {
    if (data.id === current?.request.id) end(data.lines);
  });
  return worker;
}

/** In sequence, the newest first: it belongs to what is on the screen. */
function next(): void {
  if (current) return;
  const asked = queue.pop();
  if (!asked) return;
  if (isMissing) {
    asked.answer([]);
    next();
    return;
  }
  const timer = window.setTimeout(() => {
    stop();
    end([]);
  }, PATIENCE_MS);
  current = { ...asked, timer };
  started().postMessage(asked.request);
}

/** The tokens of each line of each text; an empty list where they cannot be found. */
export function highlight(language: string, texts: string[]): Promise<Token[][][]> {
  return new Promise((resolve) => {
    queue.push({ request: { id: nextId++, language, texts }, answer: resolve });
    next();
  });
}
