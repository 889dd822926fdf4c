import type { Clock } from '../../base/time/clock.ts';
import { toThrownFault } from '../../base/errors/toThrownFault.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import {
  KICKOFF,
  type Session,
  type SessionMessage,
  type SessionRequest,
  type SessionResult,
  type Steering,
} from '../../contract/session/executor.ts';
import { endMarkedProcesses } from '../process/endMarkedProcesses.ts';
import { toOwnCall, explainCallRefusal } from '../process/toOwnCall.ts';
import { writeSessionFiles } from '../process/writeSessionFiles.ts';
import { type SessionEndCause, startTimeLimit, SessionOutput } from '../process/sessionOutput.ts';
import { readHeaderUse } from '../process/quota/readHeaderWindows.ts';
import { createQuotaStop } from '../process/quota/createQuotaStop.ts';
import { toSessionResult } from '../process/toSessionResult.ts';
import { UsageCount } from '../process/usageCount.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import { Agent, type TurnEnd } from './agent.ts';
import type { Patience } from './askPatiently.ts';
import type { LimitsOfModel } from './modelLimits.ts';
import { SessionInput } from './sessionInput.ts';
import { prepareAgent, type PreparedAgent, listSessionSecrets } from './prepareAgent.ts';
import type { BuiltinSettings } from './settings.ts';

const LEFTOVER_GRACE_MS = 500;

export interface BuiltinSessionOptions {
  request: SessionRequest;
  settings: BuiltinSettings;
  modelId: string;
  limits: LimitsOfModel;
  clock: Clock;
  patience: Patience;
}

interface Turn {
  stop: AbortController;
  ended: Promise<void>;
  finish(): void;
}

/** A session of our own agent: the agent lives in this process, its tools' programs do not. */
export class BuiltinSession implements Session {
  readonly result: Promise<SessionResult>;
  readonly steering: Steering;
  readonly #options: BuiltinSessionOptions;
  readonly #output: SessionOutput;
  readonly #usage: UsageCount;
  readonly #inbox = new SessionInput();
  readonly #over = new AbortController();
  #prepared: PreparedAgent | null = null;
  /** The running turn, from its first message on; null between turns. */
  #turn: Turn | null = null;
  #cause: SessionEndCause | null = null;

  constructor(options: BuiltinSessionOptions) {
    this.#options = options;
    const { request, settings } = options;
    this.#output = new SessionOutput({
      request,
      secrets: listSessionSecrets(request, settings),
      // The agent counts its requests itself.
      turns: { plugin: 'builtin', limits: settings, countsCalls: false },
      onCause: (cause) => this.#stop(cause),
    });
    this.#usage = new UsageCount(this.#output);
    this.#inbox.push([{ id: KICKOFF, text: request.kickoff }]);
    this.steering = {
      send: (messages: readonly SessionMessage[]) => this.#inbox.push(messages),
      interrupt: (ackMs) => this.#interrupt(ackMs),
      heal: async () => (await this.#prepared?.servers.heal()) ?? false,
      close: () => this.#inbox.close(),
    };
    this.result = this.#run();
  }

  async end(_graceMs: number): Promise<void> {
    this.#stop({ stopReason: 'interrupted', error: null });
    await this.result;
  }

  #stop(cause: SessionEndCause): void {
    this.#cause ??= cause;
    this.#inbox.close();
    this.#over.abort();
  }

  async #interrupt(ackMs: number): Promise<boolean> {
    const turn = this.#turn;
    if (!turn) return true;
    turn.stop.abort();
    const turnEnd = turn.ended.then(() => true);
    return raceDeadline(this.#options.clock, ackMs, turnEnd, () => false);
  }

  async #run(): Promise<SessionResult> {
    const { clock, request } = this.#options;
    const stopTimer = startTimeLimit(clock, this.#output, request);
    let last: TurnEnd;
    try {
      last = await this.#turns();
    } catch (error) {
      last = {
        stopReason: 'error',
        error: this.#output.screen(toErrorMessage(error)),
        fault: toThrownFault(error),
      };
    } finally {
      stopTimer();
      this.#turn?.finish();
      await this.#leave();
    }
    const { stopReason, error } = last;
    const result =
      stopReason === 'quota' ? { stopReason, error } : toSessionResult(stopReason, error);
    const fault = stopReason === 'error' && last.fault ? { fault: last.fault } : {};
    return { ...(this.#cause ?? { ...result, ...fault }), usage: this.#usage.sum };
  }

  async #leave(): Promise<void> {
    const { clock, request } = this.#options;
    await this.#prepared?.servers.close();
    await this.#prepared?.transcript.awaitWritten();
    await endMarkedProcesses(clock, (marker) => marker === request.marker, LEFTOVER_GRACE_MS).catch(
      () => 0,
    );
    await this.#output.kept;
    this.#output.end();
  }

  async #turns(): Promise<TurnEnd> {
    // Begun before the agent is ready: an interrupt that comes this early applies to the first
    // turn.
    let running = this.#beginTurn();
    const agent = await this.#agent();
    let last: TurnEnd = { stopReason: 'end_turn', error: null };
    while (!this.#over.signal.aborted) {
      last = await agent.turn(AbortSignal.any([running.stop.signal, this.#over.signal]));
      const error = last.error === null ? null : this.#output.screen(last.error);
      this.#output.endOfMessage();
      // Any further prompt would meet the same limit.
      if (last.stopReason === 'quota') this.#stop(createQuotaStop(last.hit, error));
      else if (!this.#over.signal.aborted)
        this.#output.tell({ type: 'turn', stopReason: last.stopReason, error });
      last = { ...last, error };
      this.#turn = null;
      running.finish();
      if (!(await this.#inbox.awaitInput())) break;
      running = this.#beginTurn();
    }
    return last;
  }

  #beginTurn(): Turn {
    let finish = () => {};
    const sessionEnd = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const turn = { stop: new AbortController(), ended: sessionEnd, finish };
    this.#turn = turn;
    return turn;
  }

  async #agent(): Promise<Agent> {
    const { request, settings, modelId, limits, clock, patience } = this.#options;
    await writeSessionFiles({ ...request, mcpServers: [] });
    const agent = await prepareAgent({
      ...this.#options,
      output: this.#output,
      signal: this.#over.signal,
    });
    this.#prepared = agent;
    this.#output.tell({ type: 'session', id: agent.transcript.id });
    const { open, system, tools, conversation } = agent;
    return new Agent({
      refusal: ({ name, input }) => explainCallRefusal(request, toOwnCall(name, input)),
      settings,
      modelId,
      limits,
      open,
      system,
      tools,
      conversation,
      clock,
      patience,
      inbox: this.#inbox,
      output: this.#output,
      onHeaders: (headers) => {
        const use = readHeaderUse(headers, clock.now());
        if (use !== null) this.#output.tell({ type: 'limits', ...use });
      },
      onUsage: (report, why) => {
        if (why !== null) this.#usage.noteOnce(why);
        this.#usage.take(report);
        return this.#output.kept;
      },
    });
  }
}
