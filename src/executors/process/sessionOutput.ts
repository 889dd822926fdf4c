import { joinIntoOneLine } from '../../base/text/clip.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { SeenFold } from '../../contract/session/seenCall.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { screenColoured } from '../../base/output/colouredText.ts';
import { screenSecrets } from '../../base/secrets/screenSecrets.ts';
import type {
  SessionEvent,
  SessionRequest,
  SessionResult,
} from '../../contract/session/executor.ts';
import { explainSilentLimit } from './explainSilentLimit.ts';
import { OutputLines } from './outputLines.ts';
import { ScreenedParts } from './screenedParts.ts';
import { TurnWatch } from './turnWatch.ts';
import { TestLog } from '../../base/output/testLog.ts';
import { createHash } from 'node:crypto';

/**
 * What an event and each of its lines count against the output limit beside their bytes: each is
 * stored as a row, however short it is.
 */
const LINE_COST_BYTES = 64;
const NEWLINE = 0x0a;

/** What a text counts against the output limit of a session, bytes. */
export function computeOutputCost(text: string): number {
  const bytes = Buffer.from(text);
  let lines = 1;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  // A line end after the last line starts no further one.
  if (bytes.at(-1) === NEWLINE) lines -= 1;
  return bytes.length + lines * LINE_COST_BYTES;
}

/** Longest part of a text in a fingerprint, characters. */
const MAX_PRINTED_CHARS = 262_144;

/** What may differ between two calls that are the same for a person. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/(?:\/private)?\/(?:var\/folders|(?:var\/)?tmp)\/[^\s'"`)]+/g, '<temporary>'],
  [/\b(?:0x)?(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '<hex>'],
  [/\d+(?:[.,:]\d+)*/g, '<number>'],
];

/** The text without numbers, times, long hexadecimal words and temporary paths. */
export const maskVaryingParts = (text: string): string =>
  MASKS.reduce(
    (out, [pattern, word]) => out.replace(pattern, word),
    text.slice(0, MAX_PRINTED_CHARS),
  );

/** Sorts the keys of objects, so that the same arguments make the same text. */
const sortObjectKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortObjectKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortObjectKeys(inner)]),
  );
};

/** Fingerprint of a text or of arguments; masked parts do not count. */
export const fingerprintCall = (value: unknown): string =>
  createHash('sha256')
    .update(
      maskVaryingParts(
        typeof value === 'string' ? value : (JSON.stringify(sortObjectKeys(value)) ?? ''),
      ),
    )
    .digest('hex')
    .slice(0, 16);

const MAX_SEARCHED_CHARS = 262_144;

/**
 * Names of the tests that failed in the last test run of a tool's answer, sorted; null if it does
 * not show the end of a run: words alone prove nothing.
 */
export function listFailingTests(answer: string): string[] | null {
  const log = new TestLog();
  for (const line of answer.slice(-MAX_SEARCHED_CHARS).split(/\r?\n/)) log.push(line);
  return log.failing;
}

/** Longest line about a tool call, characters. */
const MAX_DETAIL_CHARS = 300;

/** Why a session that would continue must be ended. */
export type SessionEndCause = Pick<
  SessionResult,
  'stopReason' | 'error' | 'fault' | 'resetsAt' | 'quota'
>;

type ToolEvent = Extract<SessionEvent, { type: 'tool' }>;

interface SessionOutputOptions {
  request: Pick<SessionRequest, 'tools' | 'limits' | 'onEvent' | 'onCall' | 'onFold' | 'screen'>;
  /** Secrets that are removed from all output, besides the token of the tool server. */
  secrets?: readonly string[];
  /** How an agent that repeats itself is noticed. */
  turns: Omit<ConstructorParameters<typeof TurnWatch>[0], 'onLimit'>;
  /**
   * Called once: a limit is reached, or the output cannot be stored. After that only the line that
   * reports it is passed on.
   */
  onCause(cause: SessionEndCause): void;
}

/**
 * All that a session tells the runner, without secrets and counted against the limit. The agent's
 * text is passed on in the parts in which it arrives; the writer of the log splits it into lines.
 */
export class SessionOutput {
  readonly screen: (text: string) => string;
  readonly turn: TurnWatch;
  readonly #options: SessionOutputOptions;
  readonly #tokens: ScreenedParts;
  readonly #thoughts: ScreenedParts;
  #bytes = 0;
  #answeredChars = 0;
  #over = false;
  #kept: Promise<unknown> | undefined;

  constructor(options: SessionOutputOptions) {
    this.#options = options;
    const secrets = [options.request.tools.token, ...(options.secrets ?? [])];
    const own = screenSecrets(secrets);
    const { screen = (text: string) => text } = options.request;
    this.screen = (text) => screen(own(text));
    this.turn = new TurnWatch({
      ...options.turns,
      onLimit: (error) => this.#stuck(error),
    });
    this.#tokens = new ScreenedParts(secrets, (text) => this.#tell({ type: 'token', text }));
    this.#thoughts = new ScreenedParts(secrets, (text) => this.#tell({ type: 'thinking', text }));
  }

  /**
   * Settles when everything reported so far is stored. Reading more before that fills the memory.
   */
  get kept(): Promise<unknown> {
    return Promise.resolve(this.#kept);
  }

  get answeredChars(): number {
    return this.#answeredChars;
  }

  pushToken(text: string): void {
    if (text === '' || !this.#hasRoom(text)) return;
    this.turn.noteText(text);
    this.#answeredChars += text.length;
    this.#thoughts.end();
    this.#tokens.push(text);
  }

  pushThinking(text: string): void {
    if (text === '' || !this.#hasRoom(text)) return;
    this.#answeredChars += text.length;
    this.#tokens.end();
    this.#thoughts.push(text);
  }

  /** Ends the message: text that was held back because it could have begun a secret goes out. */
  endOfMessage(): void {
    if (this.#over) return;
    this.#thoughts.end();
    this.#tokens.end();
  }

  /**
   * `full`: at the start the arguments, by which repeated calls are recognised; at the end the
   * whole answer. Default: the detail.
   */
  tool({ detail, ...event }: Omit<ToolEvent, 'type'>, full?: unknown): void {
    const line = joinIntoOneLine(this.screen(detail)).slice(0, MAX_DETAIL_CHARS);
    if (!this.#hasRoom(line)) return;
    const { at, id, name, ok } = event;
    if (at === 'start') this.#answeredChars += line.length;
    this.#tell({ type: 'tool', ...event, detail: line });
    if (at === 'start') this.turn.callBegan(id, name, full ?? detail);
    else this.turn.callEnded(id, name, ok);
    const { onCall } = this.#options.request;
    if (!onCall || this.#over) return;
    const answer = at === 'end' ? String(full ?? detail) : '';
    onCall({
      at,
      id,
      name,
      ok,
      print: fingerprintCall(full ?? detail),
      failing: listFailingTests(answer),
    });
  }

  noteFold(freedTokens: SeenFold['freed']): void {
    if (!this.#over) this.#options.request.onFold?.({ freed: freedTokens });
  }

  lines(stream: 'stdout' | 'stderr', text: string): void {
    if (!this.#hasRoom(text)) return;
    const lines = new OutputLines((line) => this.#log(stream, line), { colours: true });
    lines.push(Buffer.from(text));
    lines.end();
  }

  control(line: string): void {
    if (!this.#over) this.#tell({ type: 'log', stream: 'control', line: this.screen(line) });
  }

  /**
   * Passes on an event without text of the agent. It costs nothing, because something that was
   * counted led to it.
   */
  tell(
    event: Extract<SessionEvent, { type: 'usage' | 'limits' | 'session' | 'message' | 'turn' }>,
  ): void {
    if (this.#over) return;
    this.#tell(
      event.type === 'turn' && event.error !== null
        ? { ...event, error: this.screen(event.error) }
        : event,
    );
  }

  limit(error: string): void {
    if (this.#over) return;
    const line = `${error} The session was ended.`;
    this.control(line);
    this.#end({ stopReason: 'limit', error: line });
  }

  timeOver(timeMs: number): void {
    if (this.#over) return;
    if (this.#bytes > 0) {
      this.limit(`The time limit of ${timeMs / 1000} s is over.`);
      return;
    }
    const error = explainSilentLimit(timeMs);
    this.control(error);
    this.#end({ stopReason: 'error', error, fault: 'unknown' });
  }

  /** Ends a session whose agent repeats itself, so that a person looks at it. */
  #stuck(error: string): void {
    if (this.#over) return;
    this.control(`${error} The session was ended.`);
    this.#end({ stopReason: 'stuck', error });
  }

  end(): void {
    this.#over = true;
  }

  #log(stream: 'stdout' | 'stderr', line: string): void {
    if (!this.#over && line !== '')
      this.#tell({ type: 'log', stream, line: screenColoured(line, this.screen) });
  }

  #hasRoom(text: string): boolean {
    if (this.#over) return false;
    this.#bytes += computeOutputCost(text);
    const { outputBytes } = this.#options.request.limits;
    if (this.#bytes <= outputBytes) return true;
    this.limit(`The output limit of ${outputBytes} bytes is reached.`);
    return false;
  }

  #tell(event: SessionEvent): void {
    const endForLostOutput = (error: unknown) =>
      this.#end({
        stopReason: 'error',
        error: `The output could not be kept: ${toErrorMessage(error)}`,
        fault: 'not-written',
      });
    try {
      const storing = this.#options.request.onEvent(event)?.catch(endForLostOutput);
      if (storing) this.#kept = storing;
    } catch (error) {
      endForLostOutput(error);
    }
  }

  #end(cause: SessionEndCause): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.onCause(cause);
  }
}

/** Ends the session when its time is over; call the result when it has ended. */
export const startTimeLimit = (
  clock: Clock,
  output: SessionOutput,
  { limits }: Pick<SessionRequest, 'limits'>,
): (() => void) => clock.at(clock.now() + limits.timeMs, () => output.timeOver(limits.timeMs));
