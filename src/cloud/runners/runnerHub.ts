import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { sha256 } from '../../base/system/ids/ids.ts';
import { CLOSE_CODES } from '../../contract/channel/closeCodes.ts';
import type { Frame, ReceivedFrame } from '../../contract/channel/frames.ts';
import { LOST_MS, MAX_FRAME_BYTES, OLDEST_CHANNEL_VERSION } from '../../contract/channel/limits.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { Admission } from './admission.ts';
import { BeatStore } from './beatStore.ts';
import { planBeats } from './planBeats.ts';
import { readListRows } from './readListRows.ts';
import type { HomeLink, HomeLinks, HomeSocket } from './homeLinks.ts';
import type { WebhookLinks } from './webhookLinks.ts';
import type { ConnectedRunner, ReceivedJobs } from './runnerDirectory.ts';
import {
  enterSession,
  findRunnerByToken,
  hasSession,
  leaveSession,
  replaceToken,
  type RunnerRow,
  saveJobsPlace,
} from './runnerRows.ts';
import { refuseHandshake } from './refuseHandshake.ts';
import { RunnerSession, SessionRefusal } from './runnerSession.ts';
import { replaceSession, SessionSweep, TOKEN_MS } from './sessionSweep.ts';
import { createRunnerToken, hashRunnerToken } from './runnerTokens.ts';

/** Where runners connect. */
export const RUNNER_SOCKET_PATH = '/ws/runner';
/** Handshakes that a node takes in a second, and sockets of runners in all; further ones get a 503, and try again. */
const ADMITTED = { perSecond: 200, most: 5_000 };
/** Runners of a node that ends come back spread over this time, ms. */
const DRAIN_SPREAD_MS = 3_000;
/** How long the other side may take to answer a close, ms. */
const CLOSE_TIMEOUT_MS = 2_000;

/** `closeTimeout` is newer than the published types. */
const SERVER: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_FRAME_BYTES,
  closeTimeout: CLOSE_TIMEOUT_MS,
};

/** What else uses the sockets of runners. */
export interface RunnerLinks {
  homes: HomeLinks;
  webhooks: WebhookLinks;
}

interface Entering {
  session: RunnerSession;
  hello: ReceivedFrame<'hello'>;
  socket: HomeSocket;
  runner: RunnerRow;
}

/** The sockets of the runners that are connected to this node. */
export class RunnerHub {
  readonly #context: CloudContext;
  readonly #homes: HomeLinks;
  readonly #webhooks: WebhookLinks;
  readonly #server = new WebSocketServer(SERVER);
  readonly #admission: Admission;
  readonly #random: () => number;
  /** The newest session of each runner. */
  readonly #sessions = new Map<string, RunnerSession>();
  readonly #beats: BeatStore;
  readonly #helloListeners: ((runner: ConnectedRunner) => void)[] = [];
  readonly #beatListeners: ((runner: ConnectedRunner) => void)[] = [];
  readonly #jobsListeners: ((jobs: ReceivedJobs) => Promise<void>)[] = [];
  readonly #sweep: SessionSweep;
  #isClosed = false;

  constructor(
    context: CloudContext,
    { homes, webhooks }: RunnerLinks,
    random: () => number = Math.random,
  ) {
    this.#context = context;
    this.#homes = homes;
    this.#webhooks = webhooks;
    this.#random = random;
    this.#admission = new Admission(context.clock, ADMITTED);
    this.#beats = new BeatStore(context);
    this.#sweep = new SessionSweep({
      context,
      sessions: this.#sessions,
      replaceToken: (session) => this.#replaceToken(session),
    });
  }

  onHello(listener: (runner: ConnectedRunner) => void): void {
    this.#helloListeners.push(listener);
  }

  onBeat(listener: (runner: ConnectedRunner) => void): void {
    this.#beatListeners.push(listener);
  }

  onJobs(listener: (jobs: ReceivedJobs) => Promise<void>): void {
    this.#jobsListeners.push(listener);
  }

  /** The session of a runner that can be asked here; undefined = it is not connected to this node. */
  find(runnerId: string): RunnerSession | undefined {
    const session = this.#sessions.get(runnerId);
    return session?.isReady === true ? session : undefined;
  }

  /** The runners that can be asked here. */
  listConnected(): ConnectedRunner[] {
    return [...this.#sessions.values()]
      .filter(({ isReady }) => isReady)
      .map(({ identity: { teamId, runnerId } }) => ({ teamId, runnerId }));
  }

  /** Takes a connection over, or refuses it. */
  readonly accept = (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    this.#identify(req).then(
      (runner) => {
        if (typeof runner === 'number') refuseHandshake(socket, runner);
        else
          this.#server.handleUpgrade(req, socket, head, (raw) =>
            this.#openSession(raw, socket, runner),
          );
      },
      (err: unknown) => {
        this.#context.log.warn({ err }, 'a runner could not be let in');
        refuseHandshake(socket, 503);
      },
    );
  };

  /** The runner of a handshake, or the status that it is refused with. */
  async #identify({ headers }: IncomingMessage): Promise<RunnerRow | 401 | 503> {
    if (this.#isClosed || !this.#admission.admit(this.#sessions.size)) return 503;
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    const hash = hashRunnerToken(token);
    if (hash === null) return 401;
    const runner = await findRunnerByToken(this.#context.database.sql, hash);
    if (this.#isClosed) return 503;
    return runner ?? 401;
  }

  /**
   * Tells every runner to connect elsewhere, each at a time of its own, and takes no further ones. Resolves when they
   * have had the time.
   */
  async drain(spreadMs = DRAIN_SPREAD_MS): Promise<void> {
    this.#isClosed = true;
    const { clock } = this.#context;
    for (const session of this.#sessions.values())
      session.send({ type: 'drain', delayMs: Math.round(this.#random() * spreadMs) });
    if (this.#sessions.size === 0 || spreadMs === 0) return;
    await new Promise<void>((resolve) => clock.at(clock.now() + spreadMs, resolve));
  }

  /** Ends the sessions that are left, and stores that they have. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sweep.close();
    this.#beats.close();
    const runnerSessions = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const session of runnerSessions) session.close(1001, 'The node ends.');
    await Promise.all(runnerSessions.map((session) => this.#leave(session)));
  }

  #openSession(raw: WebSocket, connection: Duplex, runner: RunnerRow): void {
    const { ids, clock } = this.#context;
    new RunnerSession(raw, {
      id: ids.next(),
      connection,
      identity: { runnerId: runner.id, teamId: runner.teamId, tokenHash: runner.tokenHash },
      clock,
      welcome: (session, hello, socket) => this.#welcome({ session, hello, socket, runner }),
      mayGrantLease: () => this.#homes.mayGrantLease(),
      onAnswer: ({ identity }, answer) => this.#homes.takeAnswer(identity.runnerId, answer),
      onWebhook: (session, frame) => this.#webhooks.take(session.identity, frame, session),
      storeJobs: (session, frame) => this.#storeJobs(session, frame),
      onBeat: (session) => this.#takeBeat(session),
      onEnd: (session) => this.#endSession(session),
    });
  }

  async #welcome({
    session,
    hello,
    socket,
    runner,
  }: Entering): Promise<{ frame: Frame<'welcome'>; home: HomeLink | null }> {
    if (hello.protocol < OLDEST_CHANNEL_VERSION)
      throw new SessionRefusal(
        CLOSE_CODES.version,
        `This runner is too old. Install svc ${this.#context.version} or newer on its machine, then run svc upgrade.`,
      );
    const { database, clock, nodeId, observer } = this.#context;
    const runnerId = runner.id;
    const isOtherHome = hello.homeId !== runner.homeId;
    if (isOtherHome && (runner.adoption !== null || (await hasSession(database.sql, runnerId))))
      throw new SessionRefusal(
        CLOSE_CODES.revoked,
        'Another home uses this token, and is connected. Pair this one with svc login.',
      );
    const now = new Date(clock.now());
    const isAdopter = runner.adoption !== null;
    const isDue =
      !isAdopter && (runner.isOldToken || now.getTime() - runner.tokenAt.getTime() >= TOKEN_MS);
    const { tokenHash } = runner;
    const entering = { runnerId, sessionId: session.id, nodeId, tokenHash, isAdopter, observer };
    // What it says of the home is relied on: the runner forgets entries that the control plane has.
    const { facts, entered } = await database.confirm(() =>
      database.transaction(async (sql) => ({
        facts: await enterSession(sql, entering, hello, now),
        entered: await this.#homes.enter(sql, runner, hello),
      })),
    );
    if (facts === null) throw new SessionRefusal(CLOSE_CODES.revoked, 'The runner was revoked.');
    if (!session.isOpen) {
      // Its end came first and found nothing to store: it would count as connected for as long as this node runs.
      await this.#leave(session);
      throw new SessionRefusal(CLOSE_CODES.lost, 'The socket was closed meanwhile.');
    }
    const before = this.#sessions.get(runnerId);
    this.#sessions.set(runnerId, session);
    if (before !== undefined) {
      if (isAdopter && before.identity.tokenHash !== runner.tokenHash)
        before.close(CLOSE_CODES.fenced, 'Another runner continues the home of this one.');
      else replaceSession(clock, before, hello.instance);
    }
    if (!isAdopter) session.tokenAt = isDue ? now.getTime() : runner.tokenAt.getTime();
    // After the welcome, which this promise brings.
    if (isDue) setImmediate(() => void this.#replaceToken(session));
    setImmediate(() => {
      if (hello.webhooks !== undefined) this.#webhooks.attach(session.identity, session);
      for (const listener of this.#helloListeners) listener({ teamId: runner.teamId, runnerId });
    });
    return {
      frame: {
        type: 'welcome',
        session: session.id,
        team: facts.team,
        runner: { id: runnerId, name: hello.name, ownerId: runner.ownerId },
        ...planBeats(entered?.home.takeoverMs ?? LOST_MS),
        jobs: facts.jobs,
        ...(entered === null ? {} : { home: entered.home }),
      },
      home: entered === null ? null : this.#homes.open(runner, entered, socket),
    };
  }

  async #replaceToken(session: RunnerSession): Promise<void> {
    const { database, ids, clock, log } = this.#context;
    const { runnerId, tokenHash } = session.identity;
    const token = createRunnerToken(runnerId, ids);
    const change = { used: tokenHash, next: sha256(token), at: new Date(clock.now()) };
    try {
      if (session.isReady && (await replaceToken(database.sql, runnerId, change)))
        session.send({ type: 'token', token });
    } catch (err) {
      log.warn({ err, runner: runnerId }, 'the token of a runner could not be replaced');
    }
  }

  async #storeJobs(session: RunnerSession, frame: ReceivedFrame<'jobs'>): Promise<void> {
    const { database, log } = this.#context;
    const { runnerId, teamId } = session.identity;
    // One that was replaced says nothing more of its runner.
    if (this.#sessions.get(runnerId) !== session) throw new Error('The session was replaced.');
    const { rows, leftOut } = readListRows(frame.body, frame.readAt);
    if (leftOut > 0)
      log.warn(
        { runner: runnerId, leftOut },
        'rows of a list of jobs are not valid and were left out',
      );
    const { source, n, mark, range } = frame;
    const jobs = { teamId, runnerId, rows, ...(range ? { range } : {}) };
    for (const listener of this.#jobsListeners) await listener(jobs);
    await saveJobsPlace(database.sql, runnerId, { source, n, mark });
  }

  #takeBeat(session: RunnerSession): void {
    this.#beats.add(session);
    const { teamId, runnerId } = session.identity;
    for (const listener of this.#beatListeners) listener({ teamId, runnerId });
  }

  #endSession(session: RunnerSession): void {
    const { runnerId } = session.identity;
    this.#beats.remove(session);
    this.#webhooks.detach(session.identity, session);
    if (this.#sessions.get(runnerId) !== session) return;
    this.#sessions.delete(runnerId);
    this.#leave(session).catch((err: unknown) =>
      this.#context.log.warn({ err, runner: runnerId }, 'the end of a connection is not stored'),
    );
  }

  async #leave({ id, identity: { runnerId }, silentMs }: RunnerSession): Promise<void> {
    const { database, clock } = this.#context;
    const now = new Date(clock.now());
    await leaveSession(database.sql, runnerId, { sessionId: id, now, silentMs });
  }
}
