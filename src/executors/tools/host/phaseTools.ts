import { type AwaySince, unlessAway } from '../../../base/concurrency/unlessAway.ts';
import { toErrorMessage, SvcError, type ErrorCode } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { screenTexts } from '../../../base/secrets/screenSecrets.ts';
import type { AgentJob, ToolReceipt } from '../../../contract/job/agentJob.ts';
import { CallGate } from './callGate.ts';
import { CallKeys } from './callKeys.ts';
import { type CallProblem, readWriteProblem } from './callProblem.ts';
import { buildToolCatalogue } from '../catalogue/buildToolCatalogue.ts';
import {
  explainCoordinatorProblem,
  createPermissionRefusal,
  requireCoordinator,
} from '../subRuns/coordinator.ts';
import { fenceAnswer } from './fenceAnswer.ts';
import { explainMissingTool, explainUnlistedTool } from '../catalogue/explainMissingTool.ts';
import { isProviderToolName } from '../catalogue/createUnknownProviderExplainer.ts';
import { allowsJobTool, needsListing } from '../catalogue/toolAllowlist.ts';
import {
  NO_PROVIDERS,
  resolveOwnForgeTool,
  toForgePattern,
  type OwnProviders,
  type ToolList,
} from '../catalogue/toolPatterns.ts';
import { ToolRefusal, type Tool, type ToolAnswer, type ToolCall } from '../tool.ts';

/** How long a call waits for a control plane that is away, ms. */
export const AWAY_CALL_MS = 120_000;

const CONTROL_PLANE_AWAY =
  'The control plane of the team does not answer, so this call is not confirmed. It may still take effect; the same call again counts as the same one. Call it again later, or end your turn.';

export const PHASE_OVER = 'This phase is over; end your turn.';

/** Failures of another service during a call; the message names it. */
const OF_OTHERS = new Set<ErrorCode>(['unreachable', 'undecided']);

const toFailedAnswer = (text: string, data: ToolAnswer['data'] = {}): ToolAnswer => ({
  text,
  data,
  failed: true,
});

/** Watches the calls of a session, so that no agent is interrupted while a tool works for it. */
export interface CallWatch {
  began(): void;
  onEnd(): void;
  /** The agent left before the answer; what the call did stands. */
  onLost(): void;
}

/**
 * Checks a call before it is carried out. `note`: tells the agent about a changed call; null =
 * unchanged.
 */
export type CallGuard = (
  tool: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<{ refused: string | null; note: string | null; args: Record<string, unknown> }>;

export interface PhaseToolRules {
  /** Names that the phase allows; null, the default = all. */
  allowed?: ToolList;
  /**
   * Removes known secrets from what goes into the job and to the agent. Default: removes nothing.
   */
  screen(text: string): string;
  clock: Clock;
  awaySince: AwaySince;
  visible?(text: string): string;
  /** The job's providers, for `scm_<verb>` and `tracker_<verb>`; default none. */
  own?: OwnProviders;
  /**
   * Called before a call is carried out: why it is refused (null = it is not) and the arguments to
   * use. Default: every call passes.
   */
  guard?: CallGuard;
  watch?: CallWatch;
  /**
   * Called with null when a call of another service begins, and with the problem of each call that
   * fails, also where the phase does not have the tool.
   */
  onOutcome?(problem: CallProblem | null): void;
  /** Called with the older name by which a tool was called; default: nothing. */
  onDeprecated?(name: string): void;
  /** Tools of configured services; default none. */
  services?: readonly Tool[];
  /** The session whose numbering of calls continues; default: its own. */
  callsOf?: number;
}

export class PhaseTools {
  readonly tools: ReadonlyMap<string, Tool>;
  /** What the phase could have, whatever its lists of tools say. */
  readonly #catalogue: ReadonlyMap<string, Tool>;
  readonly #port: AgentJob;
  readonly #keys: CallKeys;
  readonly #onError: (where: string, error: unknown) => void;
  readonly #restricted: boolean;
  readonly #own: OwnProviders;
  readonly #screen: (text: string) => string;
  readonly #visible: (text: string) => string;
  readonly #guard: CallGuard | undefined;
  readonly #watch: CallWatch | undefined;
  readonly #onOutcome: (problem: CallProblem | null) => void;
  readonly #onDeprecated: ((name: string) => void) | undefined;
  readonly #gate = new CallGate();
  readonly #away: Parameters<typeof unlessAway>[1];
  readonly #over: Promise<ToolAnswer>;
  readonly #ended = new AbortController();
  readonly #close: () => void;
  #closed = false;

  constructor(
    port: AgentJob,
    forges: readonly string[],
    onError: (where: string, error: unknown) => void,
    {
      allowed = null,
      screen,
      clock,
      awaySince,
      visible = (text) => text,
      own = NO_PROVIDERS,
      guard,
      watch,
      onOutcome = () => {},
      onDeprecated,
      services = [],
      callsOf,
    }: PhaseToolRules,
  ) {
    this.#catalogue = buildToolCatalogue(forges, services);
    this.tools = new Map([...this.#catalogue].filter(([name]) => allowsJobTool(allowed, name)));
    this.#restricted = allowed !== null;
    this.#own = own;
    this.#screen = screen;
    this.#away = { clock, awaySince, mostMs: AWAY_CALL_MS };
    this.#visible = visible;
    this.#guard = guard;
    this.#watch = watch;
    this.#onOutcome = onOutcome;
    this.#onDeprecated = onDeprecated;
    this.#port = port;
    this.#keys = new CallKeys(port.visit, callsOf ?? port.session);
    this.#onError = onError;
    let over: (answer: ToolAnswer) => void = () => {};
    this.#over = new Promise((resolve) => {
      over = resolve;
    });
    this.#close = () => over(toFailedAnswer(PHASE_OVER));
  }

  /**
   * Answers running calls with the phase's end; their requests to the job continue or are refused
   * there.
   */
  close(): void {
    this.#closed = true;
    this.#close();
    this.#ended.abort();
  }

  hold(): void {
    this.#gate.hold();
  }

  release(): void {
    this.#gate.release();
  }

  async listOffered(): Promise<Tool[]> {
    const coordinates = (await explainCoordinatorProblem(this.#port)) === null;
    return [...this.tools.values()].filter(
      ({ coordinatorOnly }) => coordinates || coordinatorOnly !== true,
    );
  }

  /** Never rejects. `abort` is aborted when the agent leaves before the answer. */
  async call(name: string, args: unknown, abort?: AbortSignal): Promise<ToolAnswer> {
    if (this.#closed) return toFailedAnswer(PHASE_OVER);
    const tool =
      this.tools.get(name) ?? this.tools.get(resolveOwnForgeTool(name, this.#own.forge) ?? '');
    if (!tool) return this.#refuseMissing(name);
    if (tool.hints.openWorldHint) this.#onOutcome(null);
    return Promise.race([this.#callWhenOpen(tool, args, abort), this.#over]);
  }

  async #refuseMissing(name: string): Promise<ToolAnswer> {
    const message = await this.#explainMissing(name);
    // A person offers it by the workflow or by the configuration; other names are mistakes.
    if (this.#catalogue.has(name) || isProviderToolName(name))
      this.#onOutcome({ code: 'forbidden', message, data: {} });
    return toFailedAnswer(message);
  }

  async #explainMissing(name: string): Promise<string> {
    if (needsListing(name)) {
      const ofCoordinators = buildToolCatalogue([]).get(name)?.coordinatorOnly === true;
      const problem = ofCoordinators ? await explainCoordinatorProblem(this.#port) : null;
      if (problem !== null) return this.#explain(name, createPermissionRefusal(name, problem));
      return this.#screen(explainUnlistedTool(name, this.#port.phase));
    }
    const tools = (await this.listOffered()).filter(({ deprecated }) => deprecated !== true);
    const names = tools.map((one) => one.name);
    const rules = { own: this.#own, restricted: this.#restricted };
    return this.#screen(explainMissingTool(name, names, rules));
  }

  async #callWhenOpen(
    tool: Tool,
    args: unknown,
    abort: AbortSignal | undefined,
  ): Promise<ToolAnswer> {
    await this.#gate.open();
    // The caller is gone and would get no answer; an agent that wants one calls again.
    if (abort?.aborted) return toFailedAnswer('The call was cancelled before it began.');
    if (this.#closed) return toFailedAnswer(PHASE_OVER);
    this.#watch?.began();
    try {
      return await this.#callConfirmed(tool, args, abort);
    } finally {
      this.#watch?.onEnd();
      if (abort?.aborted) this.#watch?.onLost();
    }
  }

  /** Where the control plane is away for too long, the agent gets another answer than the call's own. */
  #callConfirmed(tool: Tool, args: unknown, abort: AbortSignal | undefined): Promise<ToolAnswer> {
    if (tool.hints.readOnlyHint) return this.#run(tool, args, abort);
    const abortController = new AbortController();
    const signal = abort
      ? AbortSignal.any([abort, abortController.signal])
      : abortController.signal;
    return unlessAway(this.#run(tool, args, signal), this.#away, () => {
      // The answer reaches no one: the next equal call is the same one.
      abortController.abort();
      return toFailedAnswer(CONTROL_PLANE_AWAY, { code: 'cloud-unreachable' });
    });
  }

  async #run(tool: Tool, args: unknown, abort: AbortSignal | undefined): Promise<ToolAnswer> {
    const callKey = tool.hints.readOnlyHint ? null : this.#keys.next(tool.name, args);
    const lose = () => callKey?.lose();
    if (callKey) abort?.addEventListener('abort', lose, { once: true });
    const port = this.#port;
    const key = callKey?.key ?? '';
    const takeReceipt = (receipt: ToolReceipt) => {
      if (!receipt.ok) throw new ToolRefusal(receipt.message);
      return { duplicate: receipt.duplicate };
    };
    const call: ToolCall = {
      port,
      key,
      signal: abort ? AbortSignal.any([abort, this.#ended.signal]) : this.#ended.signal,
      send: async (event) => takeReceipt(await port.send(event, key)),
      coordinate: async (event, command) => takeReceipt(await port.coordinate(event, command, key)),
    };
    if (tool.deprecated === true) this.#onDeprecated?.(tool.name);
    try {
      if (tool.coordinatorOnly === true) await requireCoordinator(tool.name, port);
      // Before anything is stored or sent: journal, rows, pull requests and other jobs all get
      // these arguments.
      const guardedCall = await this.#checkArgs(tool.name, screenTexts(args, this.#screen));
      const answer = this.#screenAnswer(await tool.run(guardedCall.args, call));
      if (answer.failed === true) this.#onOutcome(readWriteProblem(answer));
      const { untrusted = tool.untrusted } = answer;
      const toolAnswer =
        untrusted === true && answer.failed !== true ? fenceAnswer(answer, this.#visible) : answer;
      return guardedCall.note === null
        ? toolAnswer
        : { ...toolAnswer, text: `${toolAnswer.text}\n\n${guardedCall.note}` };
    } catch (error) {
      callKey?.release();
      if (error instanceof SvcError) this.#onOutcome(error);
      const code = error instanceof SvcError ? { code: error.code } : {};
      return toFailedAnswer(this.#explain(tool.name, error), code);
    }
  }

  async #checkArgs(tool: string, args: unknown): Promise<{ args: unknown; note: string | null }> {
    if (!this.#guard || typeof args !== 'object' || args === null) return { args, note: null };
    const { refused, ...answer } = await this.#guard(tool, args as Record<string, unknown>);
    if (refused !== null) throw new ToolRefusal(refused);
    return answer;
  }

  /** The other name of a tool: `scm_<verb>` of the job's forge; null = none. */
  alias(tool: string): string | null {
    return toForgePattern(tool, this.#own.forge);
  }

  #screenAnswer({ text, data, ...rest }: ToolAnswer): ToolAnswer {
    return {
      ...rest,
      text: this.#screen(text),
      data: screenTexts(data, this.#screen) as ToolAnswer['data'],
    };
  }

  #explain(tool: string, error: unknown): string {
    // The text may come from a server.
    return this.#visible(this.#screen(this.#explanation(tool, error)));
  }

  #explanation(tool: string, error: unknown): string {
    if (error instanceof ToolRefusal) return toErrorMessage(error);
    if (error instanceof SvcError && (error.status < 500 || OF_OTHERS.has(error.code))) {
      const message = `${tool}: ${error.message}`;
      if (error.code !== 'unreachable') return message;
      return `${message}${/[.!?]$/.test(message) ? '' : '.'} This is temporary: call it again later.`;
    }
    // An unexpected error may contain paths or worse: only the runner's log gets it.
    this.#onError(`tool ${tool} of ${this.#port.jobId}`, error);
    if (error instanceof SvcError && error.code === 'stopping')
      return `${tool}: the runner is stopping; end your turn.`;
    return `${tool}: internal error; whether this was done is unknown. Try once more; if it happens again, use escalate.`;
  }
}
