import type { AgentProcess } from '../process/agentProcess.ts';
import {
  KICKOFF,
  type Session,
  type SessionMessage,
  type SessionResult,
  type Steering,
} from '../../contract/executor.ts';
import { type Fields, fields, list, text } from '../../lib/untrusted.ts';
import { type Cause, limitTime, SessionOutput } from '../process/sessionOutput.ts';
import { removeKeyFile } from '../process/keyFile.ts';
import { agentZone } from '../process/quota/agentZone.ts';
import { quotaStop } from '../process/quota/quotaStop.ts';
import { Silence } from '../process/silence.ts';
import { turnResult } from '../process/turnResult.ts';
import { UsageCount } from '../process/usageCount.ts';
import { deadline } from '../../lib/waiting.ts';
import { causeOfEnd, EXIT_MS } from './causeOfEnd.ts';
import { countTurn } from './countTurn.ts';
import { Delivery, uuidOf } from './delivery.ts';
import { type OpenTurn, openTurn } from './openTurn.ts';
import { SessionInput, userMessage } from './sessionInput.ts';
import { Limits, refusedKey } from './limits.ts';
import { answerBegins, Messages } from './messages.ts';
import { isCurrent, queryOptions, type ClaudeSessionOptions } from './options.ts';
import { startProgram } from './program.ts';
import { reconnected } from './reconnect.ts';
import type { Query, SpawnOptions } from './sdk.ts';
import { isLost, isOverBudget, orEmpty, OVER_BUDGET, type TurnEnd, turnEnd } from './turnEnd.ts';
import { UsageMeter } from './usage.ts';

/**
 * A session of Claude Code by way of its SDK: one program with an input that stays open from turn
 * to turn.
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
  /** Messages that came during a turn, for programs that do not report on single ones. */
  readonly #waiting: SessionMessage[] = [];
  /**
   * A program that continues a session skips messages whose uuid it has seen, among them the
   * kickoff of a run that was cut off.
   */
  readonly #salt: string;
  #query: Query | null = null;
  #process: AgentProcess | null = null;
  #sessionId: string | null = null;
  /** Resolves at the end of the turn that runs; null between turns. */
  #turn: OpenTurn | null = null;
  #closed = false;
  #last: TurnEnd = { stopReason: 'end_turn', error: null };
  #cause: Cause | null = null;

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
    this.#limits = new Limits(() => ({ now: clock.now(), zone: agentZone(options.request.env) }));
    this.#meter = new UsageMeter(request.resume !== null);
    this.steering = {
      send: (messages) => this.#send(messages),
      interrupt: (ackMs) => this.#interrupt(ackMs),
      heal: () => reconnected(this.#query, clock),
      close: () => this.#close(),
    };
    this.#push([{ id: KICKOFF, text: request.kickoff }]);
    this.result = this.#run();
  }

  async end(graceMs: number): Promise<void> {
    const { clock } = this.#options;
    const endBy = clock.now() + graceMs;
    const left = () => Math.max(0, endBy - clock.now());
    this.#cause ??= { stopReason: 'interrupted', error: null };
    // Closed at once the program would ask its model once more.
    const turn = this.#turn;
    if (turn && (await this.#interrupt(left()))) await deadline(clock, left(), turn.over, () => {});
    this.#close();
    this.#inbox.close();
    await deadline(clock, left(), this.result, () => {});
    await this.#kill(left());
    await this.result;
  }

  async #run(): Promise<SessionResult> {
    const { clock, request, graceMs } = this.#options;
    const stopTimer = limitTime(clock, this.#output, request);
    let fault: Cause | null = null;
    try {
      await this.#converse(request.resume);
    } catch (error) {
      fault = await this.#faultOf(error);
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
    const ended = fault ?? turnResult(this.#last.stopReason, this.#last.error);
    return { ...(this.#cause ?? ended), usage: this.#usage.sum };
  }

  async #converse(resume: string | null): Promise<void> {
    const { sdk, version, request, settings, chat = null } = this.#options;
    const spawn = (spawned: SpawnOptions) => {
      this.#process = startProgram(this.#options, this.#output, spawned);
      return this.#process.child;
    };
    const options = await queryOptions({ ...request, resume }, settings, version, spawn, chat);
    this.#query = sdk.query({ prompt: this.#inbox, options });
    for await (const message of this.#query) {
      if (resume !== null && isLost(fields(message))) return this.#afresh();
      this.#take(fields(message));
      // A limit, or a log that cannot be kept: what comes until the program is gone is dropped.
      if (this.#cause && this.#turn === null) break;
      await this.#output.kept;
    }
  }

  /** The program has ended before it asked its model anything, and took the kickoff with it. */
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
   * Why the conversation broke off; null where it was over: the program ends with an error after a
   * turn that did.
   */
  async #faultOf(error: unknown): Promise<Cause | null> {
    if (this.#turn === null && (this.#closed || this.#last.error !== null)) return null;
    const { clock } = this.#options;
    const isOpened = this.#sessionId !== null;
    const cause = await causeOfEnd(error, this.#process, { clock, isOpened });
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
    if (type === 'system' && subtype === 'init') this.#named(text(message.session_id));
    const isTaken = message.state === 'started' || message.state === 'completed';
    if (type === 'command_lifecycle' && isTaken)
      this.#delivery.delivered(text(message.command_uuid));
    const { line, quota } = this.#limits.take(message);
    if (line !== null) this.#output.control(line);
    if (quota !== null) this.#stop(quotaStop(quota.hit, quota.error));
    const error = refusedKey(message);
    if (error !== null) this.#stop({ stopReason: 'error', error, fault: 'refused' });
    if (answerBegins(message)) this.#delivery.answerBegun();
  }

  /** Repeated at each turn, and with another id where a session could not be continued. */
  #named(sessionId: string): void {
    if (sessionId === '' || sessionId === this.#sessionId) return;
    this.#sessionId = sessionId;
    this.#output.tell({ type: 'session', id: sessionId });
  }

  #turnOver(result: Fields): void {
    const said = turnEnd(result, this.#turn?.interrupted ?? false);
    const end = orEmpty(said, result, this.#output.turn);
    this.#last = { ...end, error: end.error && this.#output.screen(end.error) };
    countTurn(this.#usage, this.#meter, result);
    this.#messages.endOfTurn();
    const { stopReason, error } = this.#last;
    if (isOverBudget(result)) {
      this.#output.control(OVER_BUDGET);
      this.#stop({ stopReason: 'interrupted', error: null });
      return;
    }
    const quota = stopReason === 'error' ? this.#limits.ofTurn(result, error ?? '') : null;
    // Whatever is said to the agent now would meet the same limit.
    if (quota !== null) {
      this.#stop(quotaStop(quota.hit, quota.error));
      return;
    }
    for (const uuid of list(result.user_message_uuids)) this.#delivery.delivered(text(uuid));
    this.#delivery.turnOver(this.#folds);
    this.#output.tell({ type: 'turn', ...this.#last });
    this.#turn?.end();
    this.#turn = null;
    this.#silence.stop();
    if (!this.#delivery.isEmpty) this.#beginTurn();
    if (this.#waiting.length > 0) this.#push(this.#waiting.splice(0));
    this.#closeInput();
  }

  /** Reports on single messages, so one can be sent while it works. */
  get #folds(): boolean {
    return isCurrent(this.#options.version);
  }

  #send(messages: readonly SessionMessage[]): void {
    if (this.#closed || messages.length === 0) return;
    if (this.#turn && !this.#folds) this.#waiting.push(...messages);
    else this.#push(messages);
  }

  /** As one: of several in a row the program makes turns of their own. */
  #push(messages: readonly SessionMessage[]): void {
    const uuid = uuidOf(this.#salt, messages);
    this.#delivery.sent(uuid, messages, this.#turn === null);
    if (this.#turn === null) this.#beginTurn();
    const content = messages.map((message) => message.text).join('\n\n');
    this.#usage.ask(content);
    this.#inbox.push(userMessage(uuid, content));
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
   * Only when nothing that was sent is without an answer: closed before, the program would end
   * without it.
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
    const acknowledged = this.#query?.interrupt().then(
      () => true,
      () => this.#turn !== turn,
    );
    const answer = acknowledged ? Promise.race([acknowledged, over]) : over;
    return deadline(this.#options.clock, ackMs, answer, () => false);
  }

  #stop(cause: Cause): void {
    this.#cause ??= cause;
    this.#inbox.close();
    void this.#kill(this.#options.graceMs);
  }

  async #kill(graceMs: number): Promise<void> {
    this.#query?.close?.();
    await this.#process?.end(graceMs);
  }
}
