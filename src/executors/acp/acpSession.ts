import { toThrownFault } from '../../base/errors/toThrownFault.ts';
import { AgentProcess, classifyProcessExit } from '../process/agentProcess.ts';
import {
  KICKOFF,
  type Session,
  type SessionMessage,
  type SessionResult,
  type Steering,
  type SessionRequest,
} from '../../contract/session/executor.ts';
import type { UsageReport } from '../../contract/session/usageReport.ts';
import { MAX_CUTS } from '../process/cutAnswer.ts';
import { startTimeLimit, SessionOutput, type SessionEndCause } from '../process/sessionOutput.ts';
import type { QuotaHit } from '../../base/agents/quotaKinds.ts';
import { readAgentQuota, collectErrorWords } from '../process/quota/readAgentQuota.ts';
import { resolveAgentZone, createQuotaStop } from '../process/quota/createQuotaStop.ts';
import { Silence } from '../process/silence.ts';
import { toSessionResult } from '../process/toSessionResult.ts';
import { UsageCount } from '../process/usageCount.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import {
  AgentLink,
  formatAcpError,
  addKeyAdvice,
  readPromptEnd,
  type PromptEnd,
} from './agentLink.ts';
import { AgentGoneError, awaitUnlessGone } from './awaitUnlessGone.ts';
import type { Fields } from '../../base/json/untrusted.ts';
import { removeLeavings, type AcpLaunchPlan } from './planAcpLaunch.ts';
import { ServerEvents } from './serverEvents.ts';
import { Turn } from './turn.ts';
import { isAnswerUpdate, Updates } from './updates.ts';
import type { Clock } from '../../base/time/clock.ts';
import { reportAcpTurnUsage } from './reportAcpTurnUsage.ts';

interface AcpSessionOptions {
  request: SessionRequest;
  plan: AcpLaunchPlan;
  clock: Clock;
  /** Wait between SIGTERM and SIGKILL at the end of the session, ms. */
  graceMs: number;
  /**
   * Callbacks of a session that is one turn of a plan-mode chat; `onAgain`: a broken-off answer is
   * asked for again. Default: the session belongs to a job.
   */
  chat?: { onAgain(): void };
}

/** Longest wait for an agent to start and to open a session, ms. */
const START_MS = 60_000;

type Prompt = readonly SessionMessage[];

/**
 * A session of an agent that speaks the Agent Client Protocol, in a process group of its own. There
 * is never more than one prompt under way: agents cancel the first, or never answer the second.
 */
export class AcpSession implements Session {
  readonly result: Promise<SessionResult>;
  readonly steering: Steering;
  readonly #options: AcpSessionOptions;
  readonly #output: SessionOutput;
  readonly #usage: UsageCount;
  readonly #process: AgentProcess;
  readonly #link: AgentLink;
  #updates: Updates;
  readonly #silence: Silence;
  readonly #events: ServerEvents | null;
  #waiting: SessionMessage[] = [];
  #wake = () => {};
  #closed = false;
  #isOpened = false;
  #turn: Turn;
  /** Why the runner ended the session; the first reason counts. */
  #cause: SessionEndCause | null = null;

  constructor(options: AcpSessionOptions) {
    this.#options = options;
    const { request, plan, clock, chat } = options;
    this.#output = new SessionOutput({
      request,
      secrets: plan.secrets,
      turns: { plugin: 'acp', limits: plan.limits, countsCalls: true },
      onCause: (cause) => this.#stop(cause),
    });
    this.#usage = new UsageCount(this.#output);
    this.#updates = new Updates(this.#output, []);
    const say = (line: string) => this.#output.control(line);
    this.#silence = new Silence(clock, say);
    const onQuota = (error: string, resetsAt: number) => {
      const hit = this.#findQuotaHit(null, error) ?? { kind: 'exhausted', window: null };
      this.#stop(createQuotaStop({ ...hit, resetsAt }, this.#output.screen(error)));
    };
    const onRetry = () => {
      this.#output.endOfMessage();
      chat?.onAgain();
    };
    const onUsage = (report: UsageReport) => this.#usage.take(report);
    const { events: address } = plan;
    this.#events = address && new ServerEvents({ address, clock, say, onQuota, onRetry, onUsage });
    const { program, args, env, preset } = plan;
    this.#process = new AgentProcess({
      request,
      program,
      args,
      env,
      hint: preset.install,
      clock,
      output: this.#output,
      ...(plan.isNoise ? { isNoise: plan.isNoise } : {}),
    });
    const onUpdate = (update: Fields) => {
      if (isAnswerUpdate(update)) this.#turn.acknowledge();
      this.#updates.take(update);
      if (this.#output.turn.isCalling) this.#silence.stop();
      else if (isAnswerUpdate(update) && !this.#turn.isOver) this.#silence.heard();
    };
    this.#link = new AgentLink({
      request,
      plan,
      process: this.#process,
      output: this.#output,
      rejectsAll: chat !== undefined,
      onUpdate,
    });
    this.#turn = this.#createTurn([{ id: KICKOFF, text: request.kickoff }]);
    this.steering = {
      send: (messages) => this.#send(messages),
      interrupt: (ackMs) => this.#interrupt(ackMs),
      // The tool server is the runner's own, and the agent sends it a new request for each call.
      heal: () => Promise.resolve(this.#cause === null),
      close: () => this.#close(),
    };
    this.result = this.#run();
  }

  async end(graceMs: number): Promise<void> {
    const { clock } = this.#options;
    const deadline = clock.now() + graceMs;
    this.#cause ??= { stopReason: 'interrupted', error: null };
    this.#close();
    if (this.#turn.isBegun) await this.#interrupt(graceMs);
    await this.#process.end(Math.max(0, deadline - clock.now()));
    await this.result;
  }

  async #run(): Promise<SessionResult> {
    const { clock, request, graceMs } = this.#options;
    const stopTimer = startTimeLimit(clock, this.#output, request);
    let cause: SessionEndCause;
    try {
      await this.#open();
      cause = await this.#turns();
    } catch (error) {
      const stop =
        error instanceof AgentGoneError
          ? classifyProcessExit(error.exited, this.#isOpened)
          : { stopReason: 'error' as const, fault: toThrownFault(error) };
      cause = { ...stop, error: this.#output.screen(formatAcpError(error)) };
    }
    stopTimer();
    this.#silence.stop();
    this.#events?.rest();
    this.#events?.close();
    this.#link.close();
    await this.#process.end(this.#cause === null ? graceMs : 0);
    await removeLeavings(this.#options.plan);
    this.#turn.end(false);
    await this.#output.kept;
    this.#output.end();
    return { ...(this.#cause ?? cause), usage: this.#usage.sum };
  }

  async #open(): Promise<void> {
    const { clock, plan } = this.#options;
    const late = `${plan.program} did not open a session within ${START_MS / 1000} s. ${plan.preset.install}`;
    const connection = await this.#raceProcessEnd(
      raceDeadline(clock, START_MS, this.#link.open(), () => null),
    );
    if (connection === null) throw new Error(`${late} ${this.#process.formatLastWords()}`);
    this.#updates = new Updates(this.#output, connection.servers);
    this.#isOpened = true;
    this.#events?.open();
    if (connection.resumable) this.#output.tell({ type: 'session', id: connection.sessionId });
  }

  async #turns(): Promise<SessionEndCause> {
    for (;;) {
      const turn = this.#turn;
      const [stopReason, error] = await this.#play(turn);
      await this.#output.kept;
      if (this.#cause) return this.#cause;
      this.#output.tell({ type: 'turn', stopReason, error });
      if (this.#turn === turn && this.#waiting.length > 0)
        this.#turn = this.#createTurn(this.#waiting.splice(0));
      if (this.#turn === turn && !this.#closed) await this.#raceProcessEnd(this.#awaitWake());
      if (this.#turn === turn) return toSessionResult(stopReason, error);
    }
  }

  async #play(turn: Turn): Promise<PromptEnd> {
    this.#output.turn.turnBegan();
    try {
      let end = await this.#ask(turn, this.#parts(turn.messages));
      for (let cuts = 0; cuts < MAX_CUTS && !turn.isCancelled && !this.#cause; cuts += 1) {
        const text = this.#waiting.length > 0 ? null : this.#link.followUp(end);
        if (text === null) break;
        end = await this.#ask(turn, [text]);
      }
      return end;
    } catch (error) {
      if (error instanceof AgentGoneError) {
        turn.end(false);
        throw error;
      }
      // Some agents answer a cancelled prompt with an error, which is expected.
      if (turn.isCancelled && this.#link.isOpen) return ['interrupted', null];
      const message = this.#output.screen(
        addKeyAdvice(
          this.#events?.last.status ?? 0,
          formatAcpError(error),
          this.#options.plan.preset.settings.key,
        ),
      );
      const quota = this.#findQuotaHit(error, `${message} ${collectErrorWords(error)}`);
      // Any further prompt would meet the same limit.
      if (quota !== null) this.#stop(createQuotaStop(quota, message));
      return ['error', message];
    } finally {
      this.#silence.stop();
      this.#updates.endOfTurn();
      turn.end(true);
    }
  }

  #findQuotaHit(error: unknown, words: string): QuotaHit | null {
    const { clock, request } = this.#options;
    return readAgentQuota(error, words, { now: clock.now(), zone: resolveAgentZone(request.env) });
  }

  async #ask(turn: Turn, prompt: readonly string[]): Promise<PromptEnd> {
    this.#usage.ask(...prompt);
    const answer = this.#link.prompt(prompt);
    this.#silence.heard();
    turn.begin();
    const { stopReason, ...response } = await this.#raceProcessEnd(answer);
    await reportAcpTurnUsage(this.#usage, this.#events, response);
    turn.acknowledge();
    return readPromptEnd(stopReason, this.#events?.last.finish ?? '', this.#output.turn.isEmpty);
  }

  #createTurn(messages: Prompt): Turn {
    return new Turn(messages, {
      cancel: () => this.#link.cancel(),
      tell: (id, state) => this.#output.tell({ type: 'message', id, state }),
    });
  }

  #parts(messages: Prompt): string[] {
    const { plan } = this.#options;
    const isFirst = messages.some(({ id }) => id === KICKOFF);
    const prompt = isFirst && !plan.takesSystemPrompt ? [plan.systemPrompt] : [];
    return [...prompt, ...this.#link.takeReasons(), ...messages.map(({ text }) => text)];
  }

  #send(messages: readonly SessionMessage[]): void {
    if (this.#closed || messages.length === 0) return;
    // At once, so that an interrupt that follows applies to this turn.
    if (this.#turn.isOver) this.#turn = this.#createTurn(messages);
    else this.#waiting.push(...messages);
    this.#wake();
  }

  #close(): void {
    this.#closed = true;
    this.#wake();
  }

  #awaitWake(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #interrupt(ackMs: number): Promise<boolean> {
    const turn = this.#turn;
    turn.interrupt();
    return raceDeadline(this.#options.clock, ackMs, turn.ended, () => false);
  }

  #stop(cause: SessionEndCause): void {
    this.#cause ??= cause;
    void this.#process.end(this.#options.graceMs);
  }

  #raceProcessEnd<T>(answer: Promise<T>): Promise<T> {
    const { clock, plan } = this.#options;
    return awaitUnlessGone(answer, {
      clock,
      process: this.#process,
      link: this.#link,
      program: plan.program,
      advice: this.#isOpened ? '' : `It opened no session. ${plan.preset.install}`,
    });
  }
}
