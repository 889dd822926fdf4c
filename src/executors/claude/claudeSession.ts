import type { AgentProcess } from '../process/agentProcess.ts';
import {
  KICKOFF,
  type Session,
  type SessionMessage,
  type SessionResult,
  type Steering,
} from '../../contract/session/executor.ts';
import {
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../base/json/untrusted.ts';
import { type SessionEndCause, startTimeLimit, SessionOutput } from '../process/sessionOutput.ts';
import { removeKeyFile } from '../process/keyFile.ts';
import { resolveAgentZone, createQuotaStop } from '../process/quota/createQuotaStop.ts';
import { Silence } from '../process/silence.ts';
import { toSessionResult } from '../process/toSessionResult.ts';
import { UsageCount } from '../process/usageCount.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import { explainSessionEnd, EXIT_MS } from './explainSessionEnd.ts';
import { reportClaudeTurnUsage, openTurn, type OpenTurn } from './openTurn.ts';
import { Delivery, deriveMessageUuid } from './delivery.ts';
import { SessionInput, toUserMessage } from './sessionInput.ts';
import { Limits, explainClaudeKeyRefusal } from './limits.ts';
import { isAnswerStart, Messages } from './messages.ts';
import { isCurrentSdk, buildQueryOptions, type ClaudeSessionOptions } from './buildQueryOptions.ts';
import { startClaudeProgram } from './startClaudeProgram.ts';
import { reconnectToolServer } from './reconnectToolServer.ts';
import type { Query, SpawnOptions } from './sdk.ts';
import {
  isLost,
  isOverBudget,
  markEmptyEnd,
  OVER_BUDGET,
  type TurnEnd,
  readTurnEnd,
} from './readTurnEnd.ts';
import { UsageMeter } from './usageMeter.ts';

/**
 * A session of Claude Code through its SDK: one program whose input stays open from turn to turn.
 */
export class ClaudeSession implements Session {
  readonly result: Promise<SessionResult>;
  readonly steering: Steering;
  readonly #options: ClaudeSessionOptions;
  readonly #output: SessionOutput;
  readonly #usage: UsageCount;
  #inbox = new SessionInput();
  readonly #delivery: Delivery;
  readonly #messages: Messages;
  readonly #limits: Limits;
  readonly #silence: Silence;
  #meter: UsageMeter;
  /** Messages that came during a turn, for programs that do not report on single messages. */
  readonly #waiting: SessionMessage[] = [];
  /**
   * A program that continues a session skips messages whose uuid it has seen, also the kickoff of a
   * run that was cut off.
   */
  readonly #salt: string;
  #query: Query | null = null;
  #process: AgentProcess | null = null;
  #sessionId: string | null = null;
  /** The running turn; null between turns. */
  #turn: OpenTurn | null = null;
  #closed = false;
  #last: TurnEnd = { stopReason: 'end_turn', error: null };
  #cause: SessionEndCause | null = null;

  constructor(options: ClaudeSessionOptions) {
    this.#options = options;
    const { request, settings, clock } = options;
    this.#salt = `${request.marker} ${clock.now()}`;
    this.#output = new SessionOutput({
      request,
      secrets: [settings.apiKey ?? settings.oauthToken ?? ''],
      turns: { plugin: 'claude', limits: settings, countsCalls: false },
      onCause: (cause) => this.#stop(cause),
    });
    this.#usage = new UsageCount(this.#output);
    this.#delivery = new Delivery((id, state) => this.#output.tell({ type: 'message', id, state }));
    this.#silence = new Silence(clock, (line) => this.#output.control(line));
    this.#messages = new Messages(this.#output, options.chat?.onAgain);
    this.#limits = new Limits(() => ({
      now: clock.now(),
      zone: resolveAgentZone(options.request.env),
    }));
    this.#meter = new UsageMeter(request.resume !== null);
    this.steering = {
      send: (messages) => this.#send(messages),
      interrupt: (ackMs) => this.#interrupt(ackMs),
      heal: () => reconnectToolServer(this.#query, clock),
      close: () => this.#close(),
    };
    this.#push([{ id: KICKOFF, text: request.kickoff }]);
    this.result = this.#run();
  }

  async end(graceMs: number): Promise<void> {
    const { clock } = this.#options;
    const endBy = clock.now() + graceMs;
    const getRemainingMs = () => Math.max(0, endBy - clock.now());
    this.#cause ??= { stopReason: 'interrupted', error: null };
    // If it were closed at once, the program would ask its model once more.
    const turn = this.#turn;
    if (turn && (await this.#interrupt(getRemainingMs())))
      await raceDeadline(clock, getRemainingMs(), turn.over, () => {});
    this.#close();
    this.#inbox.close();
    await raceDeadline(clock, getRemainingMs(), this.result, () => {});
    await this.#kill(getRemainingMs());
    await this.result;
  }

  async #run(): Promise<SessionResult> {
    const { clock, request, graceMs } = this.#options;
    const stopTimer = startTimeLimit(clock, this.#output, request);
    let fault: SessionEndCause | null = null;
    try {
      await this.#converse(request.resume);
    } catch (error) {
      fault = await this.#findEndCause(error);
    }
    stopTimer();
    this.#silence.stop();
    this.#inbox.close();
    this.#turn?.end();
    await this.#process?.end(this.#cause === null ? graceMs : 0);
    await removeKeyFile(request.sessionDir);
    this.#usage.take(...this.#meter.rest());
    await this.#output.kept;
    this.#output.end();
    const cause = fault ?? toSessionResult(this.#last.stopReason, this.#last.error);
    return { ...(this.#cause ?? cause), usage: this.#usage.sum };
  }

  async #converse(resume: string | null): Promise<void> {
    const { sdk, version, request, settings, chat = null } = this.#options;
    const spawn = (spawnOptions: SpawnOptions) => {
      this.#process = startClaudeProgram(this.#options, this.#output, spawnOptions);
      return this.#process.child;
    };
    const options = await buildQueryOptions({ ...request, resume }, settings, version, spawn, chat);
    this.#query = sdk.query({ prompt: this.#inbox, options });
    for await (const message of this.#query) {
      if (resume !== null && isLost(toFields(message))) return this.#afresh();
      this.#take(toFields(message));
      // The session is over (a limit, or a log that cannot be kept): further messages are dropped.
      if (this.#cause && this.#turn === null) break;
      await this.#output.kept;
    }
  }

  async #afresh(): Promise<void> {
    this.#output.control('The agent’s earlier session no longer exists; a new one is started.');
    this.#inbox.close();
    this.#query?.close?.();
    await this.#process?.end(0);
    this.#inbox = new SessionInput();
    this.#meter = new UsageMeter(false);
    this.#turn = null;
    const { request, chat } = this.#options;
    this.#push([{ id: KICKOFF, text: chat?.afresh ?? request.kickoff }]);
    return this.#converse(null);
  }

  /**
   * Why the conversation broke off; null if it was over: the program also ends with an error after
   * a failed turn.
   */
  async #findEndCause(error: unknown): Promise<SessionEndCause | null> {
    if (this.#turn === null && (this.#closed || this.#last.error !== null)) return null;
    const { clock } = this.#options;
    const isOpened = this.#sessionId !== null;
    const cause = await explainSessionEnd(error, this.#process, { clock, isOpened });
    return { ...cause, error: cause.error && this.#output.screen(cause.error) };
  }

  #take(message: Fields): void {
    if (this.#turn) this.#silence.heard();
    this.#usage.take(...this.#meter.take(message));
    this.#report(message);
    this.#messages.take(message);
    if (this.#output.turn.isCalling) this.#silence.stop();
    if (message.type === 'result') this.#turnOver(message);
  }

  #report(message: Fields): void {
    const { type, subtype } = message;
    if (type === 'system' && subtype === 'init')
      this.#noteSessionId(toStringOrEmpty(message.session_id));
    const isTaken = message.state === 'started' || message.state === 'completed';
    if (type === 'command_lifecycle' && isTaken)
      this.#delivery.noteDelivered(toStringOrEmpty(message.command_uuid));
    const { line, quota } = this.#limits.take(message);
    if (line !== null) this.#output.control(line);
    if (quota !== null) this.#stop(createQuotaStop(quota.hit, quota.error));
    const error = explainClaudeKeyRefusal(message, this.#options.settings.loginDir);
    if (error !== null) this.#stop({ stopReason: 'error', error, fault: 'refused' });
    if (isAnswerStart(message)) this.#delivery.answerBegun();
  }

  /** Called at each turn, and with another id if a session could not be continued. */
  #noteSessionId(sessionId: string): void {
    if (sessionId === '' || sessionId === this.#sessionId) return;
    this.#sessionId = sessionId;
    this.#output.tell({ type: 'session', id: sessionId });
  }

  #turnOver(result: Fields): void {
    const turnEnd = readTurnEnd(result, this.#turn?.interrupted ?? false);
    const end = markEmptyEnd(turnEnd, result, this.#output.turn);
    this.#last = { ...end, error: end.error && this.#output.screen(end.error) };
    reportClaudeTurnUsage(this.#usage, this.#meter, result);
    this.#messages.endOfTurn();
    const { stopReason, error } = this.#last;
    if (isOverBudget(result)) {
      this.#output.control(OVER_BUDGET);
      this.#stop({ stopReason: 'interrupted', error: null });
      return;
    }
    const quota = stopReason === 'error' ? this.#limits.takeTurnQuota(result, error ?? '') : null;
    // Any further prompt would meet the same limit.
    if (quota !== null) {
      this.#stop(createQuotaStop(quota.hit, quota.error));
      return;
    }
    for (const uuid of toListOrEmpty(result.user_message_uuids))
      this.#delivery.noteDelivered(toStringOrEmpty(uuid));
    this.#delivery.turnOver(this.#folds);
    this.#output.tell({ type: 'turn', ...this.#last });
    this.#turn?.end();
    this.#turn = null;
    this.#silence.stop();
    if (!this.#delivery.isEmpty) this.#beginTurn();
    if (this.#waiting.length > 0) this.#push(this.#waiting.splice(0));
    this.#closeInput();
  }

  /** Whether the program reports on single messages, so that one can be sent while it works. */
  get #folds(): boolean {
    return isCurrentSdk(this.#options.version);
  }

  #send(messages: readonly SessionMessage[]): void {
    if (this.#closed || messages.length === 0) return;
    if (this.#turn && !this.#folds) this.#waiting.push(...messages);
    else this.#push(messages);
  }

  /** Sends them as one message: several in a row would be a turn each. */
  #push(messages: readonly SessionMessage[]): void {
    const uuid = deriveMessageUuid(this.#salt, messages);
    this.#delivery.recordSent(uuid, messages, this.#turn === null);
    if (this.#turn === null) this.#beginTurn();
    const content = messages.map((message) => message.text).join('\n\n');
    this.#usage.ask(content);
    this.#inbox.push(toUserMessage(uuid, content));
  }

  #beginTurn(): void {
    this.#turn = openTurn();
    this.#output.turn.turnBegan();
    this.#silence.heard();
  }

  #close(): void {
    this.#closed = true;
    this.#closeInput();
  }

  /**
   * Closes the input once every message is answered: closed before, the program would end without
   * answering.
   */
  #closeInput(): void {
    if (!this.#closed || this.#turn !== null || !this.#delivery.isEmpty) return;
    this.#inbox.close();
    const { clock } = this.#options;
    const late = clock.at(clock.now() + EXIT_MS, () => void this.#kill(0));
    void this.result.finally(late);
  }

  async #interrupt(ackMs: number): Promise<boolean> {
    const turn = this.#turn;
    if (turn === null) return true;
    turn.interrupted = true;
    const over = turn.over.then(() => true);
    const interruption = this.#query?.interrupt().then(
      () => true,
      () => this.#turn !== turn,
    );
    const answer = interruption ? Promise.race([interruption, over]) : over;
    return raceDeadline(this.#options.clock, ackMs, answer, () => false);
  }

  #stop(cause: SessionEndCause): void {
    this.#cause ??= cause;
    this.#inbox.close();
    void this.#kill(this.#options.graceMs);
  }

  async #kill(graceMs: number): Promise<void> {
    this.#query?.close?.();
    await this.#process?.end(graceMs);
  }
}
