import type { HighlightReply, HighlightRequest } from './highlightMessages.ts';
import type { Token } from './tokens.ts';

/** Longest wait for the colours of a file, ms: an expression that never ends must not hold others. */
const PATIENCE_MS = 5_000;

interface QueuedHighlight {
  request: HighlightRequest;
  answer: (lines: Token[][][]) => void;
}

let worker: Worker | undefined;
let isMissing = false;
let nextId = 1;
const queue: QueuedHighlight[] = [];
let current: (QueuedHighlight & { timer: number }) | undefined;

function finishRequest(lines: Token[][][]): void {
  clearTimeout(current?.timer);
  current?.answer(lines);
  current = undefined;
  runNextRequest();
}

function stopHighlightWorker(): void {
  worker?.terminate();
  worker = undefined;
}

function ensureHighlightWorker(): Worker {
  if (worker) return worker;
  // A file of ours, as the page's policy demands; colours are found off the page's thread.
  worker = new Worker(new URL('./highlightWorker.ts', import.meta.url), { type: 'module' });
  // Without colours a diff is still a diff: what could not be loaded is not asked again.
  worker.addEventListener('error', () => {
    isMissing = true;
    stopHighlightWorker();
    finishRequest([]);
  });
  worker.addEventListener('message', ({ data }: MessageEvent<HighlightReply>) => {
    if (data.id === current?.request.id) finishRequest(data.lines);
  });
  return worker;
}

/** In sequence, the newest first: it belongs to what is on the screen. */
function runNextRequest(): void {
  if (current) return;
  const queuedHighlight = queue.pop();
  if (!queuedHighlight) return;
  if (isMissing) {
    queuedHighlight.answer([]);
    runNextRequest();
    return;
  }
  const timer = window.setTimeout(() => {
    stopHighlightWorker();
    finishRequest([]);
  }, PATIENCE_MS);
  current = { ...queuedHighlight, timer };
  ensureHighlightWorker().postMessage(queuedHighlight.request);
}

/** The tokens of each line of each text; an empty list where they cannot be found. */
export function requestHighlight(language: string, texts: string[]): Promise<Token[][][]> {
  return new Promise((resolve) => {
    queue.push({ request: { id: nextId++, language, texts }, answer: resolve });
    runNextRequest();
  });
}
