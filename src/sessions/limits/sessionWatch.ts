import { sha256 } from '../../base/system/ids/ids.ts';
import type { JobAnswer } from '../../../machines/index.ts';
import type { Session, SessionEvent } from '../../contract/session/executor.ts';
import type { SeenCall, SeenFold } from '../../contract/session/seenCall.ts';
import type { CallLimits } from '../../base/limits/loopLimits.ts';
import { TestLog } from '../../base/output/testLog.ts';
import { CallRules } from './callRules.ts';

interface WatchDeps {
  limits: CallLimits;
  /** Epoch ms. */
  now(): number;
  screen(text: string): string;
  log(line: string): Promise<void>;
  /** Messages reach the agent within its turn. */
  folds: boolean;
}

type FailingAtEnd = NonNullable<Extract<JobAnswer, { type: 'session.ended' }>['failing']>;

/**
 * Watches a session for repetition: a warning is a log line and, if the agent takes messages within
 * its turn, a note to it. Nothing is stopped.
 */
export class SessionWatch {
  readonly #deps: WatchDeps;
  readonly #rules: CallRules;
  /** Failures of the last call that showed a test run. */
  #failing: readonly string[] | null = null;
  readonly #tests = new TestLog();
  /** The last test run was in the output of the agent's program, not in a call. */
  #isInOutput = false;
  #live: Session | null = null;
  #notes = 0;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
    this.#rules = new CallRules(deps.limits);
  }

  /** Lets notes reach the agent from now on. */
  watch(live: Session): void {
    this.#live = live;
  }

  onCall(call: SeenCall): void {
    if (call.failing !== null) {
      this.#failing = call.failing;
      this.#isInOutput = false;
    }
    const text = this.#rules.call(call, this.#deps.now());
    if (text !== null) this.#warn(text, REPEATED);
  }

  onFold({ freed }: SeenFold): void {
    const text = this.#rules.fold(freed);
    if (text !== null) this.#warn(text, FULL);
  }

  onEvent(event: SessionEvent): void {
    if (event.type === 'log' && event.stream !== 'control' && this.#tests.push(event.line))
      this.#isInOutput = true;
    const text = event.type === 'turn' ? this.#rules.turn() : null;
    if (text !== null) void this.#deps.log(`warned: ${text}.`);
  }

  /** Within a turn, the agent reads it with the answer of its call. */
  #warn(text: string, advice: string): void {
    void this.#deps.log(`warned: ${text}`);
    if (!this.#deps.folds) return;
    this.#notes += 1;
    const note = { id: `note-${this.#notes}`, text: `[process note] ${text} ${advice}` };
    this.#live?.steering?.send([note]);
  }

  /** Failures of the last test run; undefined = none, or no run was seen. */
  get failing(): FailingAtEnd | undefined {
    const names = (this.#isInOutput ? this.#tests.failing : this.#failing) ?? [];
    const [first] = names;
    if (first === undefined) return undefined;
    const hash = sha256(names.join('\n')).slice(0, 16);
    return { hash, count: names.length, first: this.#deps.screen(first) };
  }
}

const REPEATED =
  'It will not change by being repeated: do something else, or call escalate where you cannot continue.';
const FULL =
  'Write down what matters, such as in work items and artefacts, and call request_new_session to continue with an empty conversation.';
