import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { sha256 } from '../../base/system/ids/ids.ts';
import { CLOSE_CODES } from '../../channel/closeCodes.ts';
import type { Frame, ReceivedFrame } from '../../channel/frames.ts';
import {
  BEAT_MS,
  CHANNEL_VERSION,
  LOST_MS,
  MAX_FRAME_BYTES,
  OLDEST_CHANNEL_VERSION,
} from '../../channel/limits.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { Admission } from './admission.ts';
import { BeatStore } from './beatStore.ts';
import { readListRows } from './readListRows.ts';
import type { ConnectedRunner, ReceivedJobs } from './runnerDirectory.ts';
import {
  endPreviousToken,
  enterSession,
  findEndedSessions,
  findRunnerByToken,
  hasSession,
  leaveSession,
  replaceToken,
  type RunnerRow,
  saveJobsPlace,
} from './runnerRows.ts';
import { refuseHandshake } from './refuseHandshake.ts';
import { RunnerSession, SessionRefusal } from './runnerSession.ts';
import { createRunnerToken, hashRunnerToken } from './runnerTokens.ts';

/** Where runners connect. */
export const RUNNER_SOCKET_PATH = '/ws/runner';
/** Handshakes that a node takes in a second. */
export const HANDSHAKES_PER_SECOND = 200;
/** Between two looks for sessions that must end, ms: those of a revoked runner end within 5 s. */
const SWEEP_MS = 2_000;
/** Age at which a token is replaced, ms. */
export const TOKEN_MS = 7 * 24 * 3_600_000;
/** Runners of a node that ends come back spread over this time, ms. */
const DRAIN_SPREAD_MS = 3_000;
/** How long a socket may stay after the same process has opened another one, ms. */
const RETIRED_MS = 15_000;
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

/** The sockets of the runners that are connected to this node. */
export class RunnerHub {
  readonly #context: CloudContext;
  readonly #server = new WebSocketServer(SERVER);
  readonly #admission: Admission;
  readonly #random: () => number;
  /** The newest session of each runner. */
  readonly #sessions = new Map<string, RunnerSession>();
  readonly #beats: BeatStore;
  readonly #helloListeners: ((runner: ConnectedRunner) => void)[] = [];
  readonly #beatListeners: ((runner: ConnectedRunner) => void)[] = [];
  readonly #jobsListeners: ((jobs: ReceivedJobs) => Promise<void>)[] = [];
  #cancelSweep: () => void;
  #isClosed = false;

  constructor(context: CloudContext, random: () => number = Math.random) {
    this.#context = context;
    this.#random = random;
    this.#admission = new Admission(context.clock, HANDSHAKES_PER_SECOND);
    this.#beats = new BeatStore(context);
    this.#cancelSweep = () => undefined;
    this.#sweepLater();
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

  /** Takes a connection over, or refuses it. */
  readonly accept = (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    this.#identify(req).then(
      (runner) => {
        if (typeof runner === 'number') refuseHandshake(socket, runner);
        else this.#server.handleUpgrade(req, socket, head, (raw) => this.#openSession(raw, runner));
      },
      (err: unknown) => {
        this.#context.log.warn({ err }, 'a runner could not be let in');
        refuseHandshake(socket, 503);
      },
    );
  };

  /** The runner of a handshake, or the status that it is refused with. */
  async #identify({ headers }: IncomingMessage): Promise<RunnerRow | 401 | 503> {
    if (this.#isClosed || !this.#admission.admit()) return 503;
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
    this.#cancelSweep();
    this.#beats.close();
    const { database, clock } = this.#context;
    const left = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const session of left) session.close(1001, 'The node ends.');
    await Promise.all(
      left.map(({ id, identity }) =>
        leaveSession(database.sql, identity.runnerId, id, new Date(clock.now())),
      ),
    );
  }

  #openSession(raw: WebSocket, runner: RunnerRow): void {
    const { ids, clock } = this.#context;
    new RunnerSession(raw, {
      id: ids.next(),
      identity: { runnerId: runner.id, teamId: runner.teamId, tokenHash: runner.tokenHash },
      clock,
      welcome: (session, hello) => this.#welcome(session, hello, runner),
      storeJobs: (session, frame) => this.#storeJobs(session, frame),
      onBeat: (session) => this.#takeBeat(session),
      onEnd: (session) => this.#endSession(session),
    });
  }

  async #welcome(
    session: RunnerSession,
    hello: ReceivedFrame<'hello'>,
    runner: RunnerRow,
  ): Promise<Frame<'welcome'>> {
    if (hello.protocol < OLDEST_CHANNEL_VERSION)
      throw new SessionRefusal(
        CLOSE_CODES.version,
        `This control plane speaks version ${OLDEST_CHANNEL_VERSION} to ${CHANNEL_VERSION}.`,
      );
    const { database, clock, nodeId } = this.#context;
    const runnerId = runner.id;
    if (hello.homeId !== runner.homeId && (await hasSession(database.sql, runnerId)))
      throw new SessionRefusal(
        CLOSE_CODES.revoked,
        'Another home uses this token, and is connected. Pair this one with svc login.',
      );
    const now = new Date(clock.now());
    const isDue = runner.isOldToken || now.getTime() - runner.tokenAt.getTime() >= TOKEN_MS;
    const facts = await database.transaction((sql) =>
      enterSession(sql, { runnerId, sessionId: session.id, nodeId }, hello, now),
    );
    if (facts === null) throw new SessionRefusal(CLOSE_CODES.revoked, 'The runner was revoked.');
    const before = this.#sessions.get(runnerId);
    this.#sessions.set(runnerId, session);
    if (before !== undefined) this.#replace(before, hello.instance);
    session.tokenAt = isDue ? now.getTime() : runner.tokenAt.getTime();
    if (!runner.isOldToken) await endPreviousToken(database.sql, runner);
    // After the welcome, which this promise brings.
    if (isDue) setImmediate(() => void this.#replaceToken(session));
    setImmediate(() => {
      for (const listener of this.#helloListeners) listener({ teamId: runner.teamId, runnerId });
    });
    return {
      type: 'welcome',
      session: session.id,
      team: facts.team,
      runner: { id: runnerId, name: hello.name, ownerId: runner.ownerId },
      beatMs: BEAT_MS,
      lostMs: LOST_MS,
      jobs: facts.jobs,
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
    const { rows, leftOut } = readListRows(frame.body);
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
    if (this.#sessions.get(runnerId) !== session) return;
    this.#sessions.delete(runnerId);
    const { database, clock, log } = this.#context;
    leaveSession(database.sql, runnerId, session.id, new Date(clock.now())).catch((err: unknown) =>
      log.warn({ err, runner: runnerId }, 'the end of a connection could not be stored'),
    );
  }

  #sweepLater(): void {
    const { clock, log } = this.#context;
    this.#cancelSweep = clock.at(clock.now() + SWEEP_MS, () => {
      this.#sweep()
        .catch((err: unknown) => log.warn({ err }, 'sessions of runners could not be checked'))
        .finally(() => {
          if (!this.#isClosed) this.#sweepLater();
        });
    });
  }

  /** Ends sessions of runners that were revoked, and those that another node has replaced. */
  async #sweep(): Promise<void> {
    const { database, clock } = this.#context;
    const open = [...this.#sessions.values()].filter(({ isReady }) => isReady);
    const ended = await findEndedSessions(
      database.sql,
      open.map(({ id, identity: { runnerId, tokenHash } }) => ({
        sessionId: id,
        runnerId,
        tokenHash,
      })),
    );
    for (const { sessionId, isRevoked, instance } of ended) {
      const session = open.find(({ id }) => id === sessionId);
      if (session === undefined || this.#sessions.get(session.identity.runnerId) !== session)
        continue;
      if (isRevoked) session.close(CLOSE_CODES.revoked, 'The runner was revoked.');
      else {
        this.#sessions.delete(session.identity.runnerId);
        this.#replace(session, instance);
      }
    }
    for (const session of open) {
      const { tokenAt } = session;
      if (tokenAt !== null && clock.now() - tokenAt >= TOKEN_MS) {
        session.tokenAt = clock.now();
        await this.#replaceToken(session);
      }
    }
  }

  /** `instance`: the process that has connected since. */
  #replace(session: RunnerSession, instance: string | null): void {
    if (session.hello?.instance !== instance) {
      session.close(
        CLOSE_CODES.replaced,
        'Another process has connected with the token of this runner.',
      );
      return;
    }
    // It ends the requests on the older socket first, and closes it itself.
    const { clock } = this.#context;
    clock.at(clock.now() + RETIRED_MS, () =>
      session.close(CLOSE_CODES.reconnected, 'The same process has connected again.'),
    );
  }
}
