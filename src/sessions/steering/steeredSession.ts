import { createActor, fromPromise, type Actor, type InspectionEvent } from 'xstate';
import {
  buildBatchPrompt,
  countBatchItems,
  addUnread,
  toEventKind,
  buildReminderPrompt,
  steeringMachine,
  type LeftoverItems,
  type UnreadInbox,
  type SteeringEvent,
} from '../../../machines/index.ts';
import type {
  ArrivedBatch,
  ContinuedSession,
  PlayedSession,
  SteerableRun,
  SteeredRun,
} from './steeredRun.ts';
import {
  KICKOFF,
  type Session,
  type SessionEvent,
  type SessionMessage,
} from '../../contract/session/executor.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { CallWatch } from '../../executors/tools/host/phaseTools.ts';
import { listInboxItems, isInboxItemOpen, type InboxItemRow } from '../../jobs/views/jobRows.ts';
import { createActorClock } from '../../base/time/createActorClock.ts';
import { readVisitMessages } from '../../jobs/views/messageRows.ts';
import { Receipts, type ReceiptsDeps } from './receipts.ts';

export const formatDeveloperMessage = (text: string): string => `[DEVELOPER MESSAGE]\n${text}`;

/** An agent that only answers a message would end its turn, and with it the phase. */
const CONTINUE =
  '[svc] A developer wrote this while you work. Heed it, then continue with the phase where you stopped. End your turn only when the phase is done, or when the message asks you to stop.';

/** Messages sent together, the last one with a reminder of what to do next. */
export const appendReminder = (messages: readonly SessionMessage[]): SessionMessage[] =>
  messages.map((message, at) =>
    at < messages.length - 1 ? message : { ...message, text: `${message.text}\n\n${CONTINUE}` },
  );

export interface SteeredSessionDeps extends ReceiptsDeps {
  rows: RowReader;
  clock: Clock;
  /** Logs a line with the tag `control`. */
  control(run: SteeredRun, line: string): void;
  /** Sees every event of the steering actor; default: none. */
  inspect?: (event: InspectionEvent) => void;
}

/**
 * Tools of other servers, by the names that agents see; ours are counted at our own server, for
 * every caller.
 */
const isForeignTool = (name: string): boolean =>
  name.startsWith('mcp__') && !name.startsWith('mcp__svc__');
const isOwnTool = (name: string): boolean => !/^mcp_|^svc_/.test(name);

/** The part of the batch that is still to be given; the chart already counts later items. */
function summarizeLeftOver(items: readonly InboxItemRow[]): LeftoverItems | null {
  const [first] = items;
  if (!first) return null;
  const events = items
    .filter(({ kind }) => kind !== 'message')
    .map(({ kind, pr_id: prId }) => ({ kind: toEventKind(kind), prId: prId ?? '' }));
  const messages = items.filter((item) => item.kind === 'message' && isInboxItemOpen(item)).length;
  const none: UnreadInbox = { messages, kinds: [] };
  return { from: first.n - 1, ...events.reduce(addUnread, none) };
}

/** One run of a session with its steering actor, which lives as long as the session plays. */
export class SteeredSession implements SteerableRun {
  readonly calls: CallWatch;
  readonly #run: SteeredRun;
  readonly #deps: SteeredSessionDeps;
  readonly #receipts: Receipts;
  readonly #early: SteeringEvent[] = [];
  #actor: Actor<ReturnType<typeof steeringMachine>> | null = null;
  #nudges = 0;
  #left: LeftoverItems | null = null;

  constructor(run: SteeredRun, deps: SteeredSessionDeps) {
    this.#run = run;
    this.#deps = deps;
    this.#receipts = new Receipts(run, deps);
    this.calls = {
      began: () => this.#tell({ type: 'call.began' }),
      onEnd: () => this.#tell({ type: 'call.ended' }),
      onLost: () => this.#tell({ type: 'answer.lost' }),
    };
  }

  async kickoff(from: number, to: number, continuation?: ContinuedSession): Promise<ArrivedBatch> {
    const { jobId, visit, session } = this.#run;
    const { rows } = this.#deps;
    const { open, read, uncertain, had } = readVisitMessages(
      rows,
      { jobId, visit, session, continued: continuation },
      to,
    );
    const waiting: InboxItemRow[] = [...listInboxItems(rows, jobId, from, to), ...open];
    const items = waiting.slice(0, countBatchItems(waiting));
    const messages = items.filter(({ kind }) => kind === 'message').map(({ id }) => id);
    const offeredIds = new Set(await this.#receipts.offer(messages, 'kickoff', null));
    const givenItems = items.filter(({ kind, id }) => kind !== 'message' || offeredIds.has(id));
    this.#left = summarizeLeftOver(waiting.slice(items.length).filter(({ n }) => n <= to));
    const news = givenItems.filter(({ kind, id, n }) =>
      kind === 'message' ? !had.has(id) : n > (continuation?.readTo ?? 0),
    );
    return {
      batch: buildBatchPrompt(givenItems),
      items: givenItems,
      news: buildBatchPrompt(news),
      newItems: news,
      readBefore: buildReminderPrompt(read),
      uncertain,
      upTo: this.#left?.from ?? to,
    };
  }

  onEvent(event: SessionEvent): void {
    if (event.type === 'message') this.#receipts.takeReport(event.id, event.state, KICKOFF);
    else if (event.type === 'turn')
      this.#tell({ type: 'turn.ended', stopReason: event.stopReason });
    else if (event.type === 'tool') this.#tool(event);
  }

  message(n: number): void {
    const item = listInboxItems(this.#deps.rows, this.#run.jobId, n - 1, n)[0];
    if (item)
      this.#tell({
        type: 'message',
        message: { id: item.id, text: formatDeveloperMessage(item.text) },
      });
  }

  async play(live: Session, end: AbortSignal): Promise<PlayedSession> {
    const actor = live.steering === null ? null : this.#createActor(live, live.steering);
    const stop = () => (actor ? actor.send({ type: 'stop' }) : void live.end(this.#run.graceMs));
    if (actor) {
      this.#actor = actor;
      actor.start();
      for (const event of this.#early.splice(0)) actor.send(event);
    }
    if (end.aborted) stop();
    else end.addEventListener('abort', stop, { once: true });
    const result = await live.result;
    end.removeEventListener('abort', stop);
    actor?.send({ type: 'session.ended' });
    const sends = this.#receipts.listAtEnd(
      result.stopReason === 'end_turn' || result.stopReason === 'pause_turn',
    );
    return {
      result: end.aborted ? { ...result, stopReason: 'interrupted' } : result,
      read: sends,
      left: this.#left,
    };
  }

  #tell(event: SteeringEvent): void {
    if (this.#actor) this.#actor.send(event);
    else this.#early.push(event);
  }

  #tool({ at, name, detail }: Extract<SessionEvent, { type: 'tool' }>): void {
    if (isForeignTool(name)) this.#tell({ type: at === 'start' ? 'call.began' : 'call.ended' });
    else if (isOwnTool(name)) {
      this.#tell({
        type: 'doing',
        what: at === 'start' ? [name, detail].filter(Boolean).join(' ').slice(0, 200) : null,
      });
    }
  }

  #createActor(
    live: Session,
    steering: NonNullable<Session['steering']>,
  ): Actor<ReturnType<typeof steeringMachine>> {
    const { folds, graceMs, tools } = this.#run;
    const { clock, control, inspect } = this.#deps;
    const machine = steeringMachine().provide({
      actors: {
        offer: fromPromise(async ({ input: { messages, how, interrupted } }) => {
          const ids = messages.map(({ id }) => id);
          const offeredIds = new Set(await this.#receipts.offer(ids, how, interrupted));
          return messages.filter(({ id }) => offeredIds.has(id));
        }),
        interrupt: fromPromise(({ input: { ackMs } }) => steering.interrupt(ackMs)),
        heal: fromPromise(() => steering.heal()),
      },
      actions: {
        send: (_, { messages }) => {
          if (messages.length > 0) steering.send(appendReminder(messages));
        },
        nudge: (_, { text }) => {
          this.#nudges += 1;
          steering.send([{ id: `nudge-${this.#nudges}`, text }]);
        },
        holdTools: () => tools.hold(),
        releaseTools: () => tools.release(),
        control: (_, { line }) => control(this.#run, line),
        closeInput: () => steering.close(),
        endSession: () => void live.end(graceMs),
      },
    });
    return createActor(machine, {
      id: `steering/${this.#run.jobId}`,
      input: { folds },
      clock: createActorClock(clock),
      ...(inspect ? { inspect } : {}),
    });
  }
}
