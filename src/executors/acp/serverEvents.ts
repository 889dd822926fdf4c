import { request } from 'node:http';
import type { Clock } from '../../lib/clock.ts';
import { count, type Fields, fields, text } from '../../lib/untrusted.ts';
import { deadline } from '../../lib/waiting.ts';
import type { Usage } from '../../contract/session.ts';
import { addUsage, isUsed, NO_USAGE, usageSince } from '../process/usageSum.ts';
import type { Launch } from './presets/preset.ts';

/** Longest event that is read, characters: the text of an answer is in it. */
const MAX_EVENT_CHARS = 8 * 1024 * 1024;
/** How long after the answer to a prompt the events of its turn may come, ms. */
const LATE_MS = 1_000;

interface EventOptions {
  address: NonNullable<Launch['events']>;
  clock: Clock;
  /** A line for people about a request to the model that failed. */
  say(line: string): void;
  /** What came of the answer that failed is void; it is asked for again. */
  onRetry(): void;
  /** The model's endpoint takes no requests until then (epoch ms), longer than is waited for. */
  onQuota(error: string, resetsAt: number): void;
}

/** Longest that the agent's own wait for its model may take, ms. */
const LONGEST_WAIT_MS = 120_000;

/** What became of the last answer, in the agent's words. */
interface LastAnswer {
  /** Why it ended, such as `stop` or `length`; empty = it has not. */
  finish: string;
  /** HTTP status of the endpoint where it failed; 0 = it did not, or it is not known. */
  status: number;
}

/** Tokens of one answer; what a cache held is beside the input there, and thoughts the output. */
const usageOf = (tokens: Fields): Required<Usage> => {
  const cache = fields(tokens.cache);
  const cachedInputTokens = count(cache.read);
  const cacheWriteTokens = count(cache.write);
  return {
    inputTokens: count(tokens.input) + cachedInputTokens + cacheWriteTokens,
    outputTokens: count(tokens.output) + count(tokens.reasoning),
    cachedInputTokens,
    cacheWriteTokens,
  };
};

/**
 * What opencode's own server tells of its sessions and the protocol does not: the tokens of each
 * answer (the protocol has those of the last one), and tries that failed. Without a connection
 * nothing is known.
 */
export class ServerEvents {
  readonly #options: EventOptions;
  readonly #answers = new Map<string, Required<Usage>>();
  #last: LastAnswer = { finish: '', status: 0 };
  #taken = NO_USAGE;
  #stop = () => {};
  #isBusy = false;
  #idle = () => {};

  constructor(options: EventOptions) {
    this.#options = options;
  }

  /** Listens until it is closed, or the server ends. */
  open(): void {
    const { address, clock } = this.#options;
    const req = request(address.url, { headers: { authorization: address.authorization } });
    req.on('error', () => {});
    req.once('response', (res) => {
      res.on('error', () => {});
      if (res.statusCode !== 200) return void res.resume();
      res.setEncoding('utf8');
      let held = '';
      res.on('data', (piece: string) => {
        const lines = (held + piece).split('\n');
        held = (lines.pop() ?? '').slice(0, MAX_EVENT_CHARS);
        for (const line of lines) if (line.startsWith('data:')) this.#take(line.slice(5), clock);
      });
    });
    req.end();
    this.#stop = () => req.destroy();
  }

  close(): void {
    this.#stop();
  }

  get last(): LastAnswer {
    return this.#last;
  }

  /** Tokens that were not taken before, once the turn's events are in; null = none. */
  async ofTurn(): Promise<Required<Usage> | null> {
    if (this.#isBusy) {
      const idle = new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
      await deadline(this.#options.clock, LATE_MS, idle, () => {});
    }
    return this.rest();
  }

  /** Tokens that were not taken before; null = none. */
  rest(): Required<Usage> | null {
    const sum = [...this.#answers.values()].reduce((all, one) => addUsage(all, one), NO_USAGE);
    const found = usageSince(sum, this.#taken);
    this.#taken = sum;
    return isUsed(found) ? found : null;
  }

  #take(data: string, clock: Clock): void {
    let event: Fields;
    try {
      event = fields(JSON.parse(data));
    } catch {
      return;
    }
    const properties = fields(event.properties);
    const info = fields(properties.info);
    if (event.type === 'message.updated' && info.role === 'assistant') {
      this.#answers.set(text(info.id), usageOf(fields(info.tokens)));
      const status = count(fields(fields(info.error).data).statusCode);
      this.#last = { finish: text(info.finish), status };
    }
    const status = fields(properties.status);
    if (event.type !== 'session.status') return;
    this.#isBusy = status.type !== 'idle';
    if (!this.#isBusy) this.#idle();
    if (status.type !== 'retry') return;
    const { say, onQuota, onRetry } = this.#options;
    onRetry();
    const next = count(status.next);
    const waitMs = Math.max(0, next - clock.now());
    const error = `The model's endpoint could not answer (${text(status.message)})`;
    if (waitMs > LONGEST_WAIT_MS) onQuota(`${error}.`, next);
    else say(`${error}; try ${count(status.attempt) + 1} in ${Math.round(waitMs / 1_000)} s.`);
  }
}
