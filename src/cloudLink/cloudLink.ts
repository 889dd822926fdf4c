import { CLOSE_CODES } from '../contract/channel/closeCodes.ts';
import type { Frame, ReceivedFrame } from '../contract/channel/frames.ts';
import { CHANNEL_VERSION } from '../contract/channel/limits.ts';
import { toErrorMessage } from '../base/errors/errors.ts';
import type { AskClaim } from '../contract/forge/forwardedWebhook.ts';
import { ClaimQuestions } from './claimQuestions.ts';
import { JobSender } from './jobSender.ts';
import type { LogSocket, SocketLog } from './homes/socketLog.ts';
import type { LiveSocket } from './liveSocket.ts';
import { planRetry, REFUSED_RETRY_MS } from './planRetry.ts';
import { RequestAnswerer } from './requestAnswerer.ts';
import { isRefused, RunnerSocket, type SocketEnd } from './runnerSocket.ts';
import { toSocketAddress } from './toSocketAddress.ts';
import { WebhookInbox } from './webhookInbox.ts';
import type { CloudLinkOptions } from './cloudLinkOptions.ts';

export type { CloudLinkOptions } from './cloudLinkOptions.ts';

/** After this long, a connection counts as good, and the waits begin small again, ms. */
const GOOD_AFTER_MS = 10_000;
/** How long changes of the load are collected, ms. */
const REFRESH_MS = 200;
/** How long a drained socket is kept for requests that are still answered, ms. */
const RETIRE_MS = 10_000;
/** Runners that a node has sent away come back spread over this time, ms. */
const BUSY_SPREAD_MS = 4_000;
/** Normal closure, and "going away". */
const CLOSED = 1000;
const GOING_AWAY = 1001;

/** Keeps a runner connected to its control plane, for ever, until it is closed or replaced by another process. */
export class CloudLink {
  readonly #options: CloudLinkOptions;
  readonly #sender: JobSender;
  readonly #claims: ClaimQuestions;
  readonly #live = new Set<LiveSocket>();
  /** The newest socket. */
  #current: LiveSocket | null = null;
  #token: string;
  #attempt = 0;
  /** Why it was not connected last; null = it was. */
  #problem: string | null = null;
  #cancelRetry: () => void = () => undefined;
  #isClosed = false;
  readonly #unwatch: () => void;
  #cancelBeat: (() => void) | null = null;

  constructor(options: CloudLinkOptions) {
    this.#options = options;
    this.#token = options.token;
    this.#claims = new ClaimQuestions(options.clock);
    this.#sender = new JobSender({
      jobs: options.jobs,
      source: options.instance,
      homeId: options.homeId,
      clock: options.clock,
      readHead: () => options.homeLog()?.head ?? null,
      onError: (err) =>
        options.log.warn({ err }, 'the list of jobs could not be read for the control plane'),
    });
    this.#unwatch = options.jobs.watchJobs(() => this.refresh());
    this.#dial();
  }

  /** Says soon how the runner is now, where that has changed: dispatches wait for free slots. */
  refresh(): void {
    const { clock } = this.#options;
    this.#cancelBeat ??= clock.at(clock.now() + REFRESH_MS, () => {
      this.#cancelBeat = null;
      this.#current?.socket.beatIfChanged();
    });
  }

  /** Asks over the newest socket whether a rule may create a job. */
  readonly askClaim: AskClaim = (claim) => {
    const { socket, welcomeAt } = this.#current ?? {};
    const frames = welcomeAt == null ? undefined : socket?.frames;
    return this.#claims.ask(claim, frames ? (frame) => frames.send(frame) : null);
  };

  /** Opens another socket; the one before answers what it has begun. */
  reconnect(): void {
    if (this.#current?.welcomeAt == null) this.#dialLater(0);
    else this.#leaveNode(this.#current, 0);
  }

  /** Ends every socket; the control plane sees the runner leave. */
  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
    this.#cancelBeat?.();
    this.#unwatch();
    this.#sender.close();
    for (const { socket, answers } of this.#live) {
      answers.close();
      socket.close(GOING_AWAY, 'The runner stops.');
    }
  }

  #dial(): void {
    if (this.#isClosed) return;
    const { url, clock, onConnection } = this.#options;
    onConnection('connecting', this.#problem);
    let address: URL;
    try {
      address = toSocketAddress(url);
    } catch (error) {
      // It stays wrong until the configuration changes, which opens another link.
      onConnection('refused', toErrorMessage(error));
      this.#options.log.error({ err: error }, 'the control plane cannot be reached');
      return;
    }
    const socket = new RunnerSocket({
      address,
      agent: this.#options.agent ?? null,
      token: this.#token,
      clock,
      hello: () => {
        live.homeLog = this.#options.homeLog();
        return this.#buildHello(live.homeLog);
      },
      load: this.#options.load,
      lease: this.#options.lease,
      onWelcome: (frame) => this.#welcome(live, frame),
      onFrame: (frame) => this.#take(live, frame),
      onEnd: (end) => this.#end(live, end),
    });
    const { frames } = socket;
    const answers = new RequestAnswerer(frames, this.#options.app);
    const webhooks = new WebhookInbox(frames, this.#options.webhooks);
    const logSocket: LogSocket = {
      send: (frame) => frames.send(frame),
      hasRoom: () => frames.hasRoom(),
      abandon: (reason) => frames.close(CLOSE_CODES.protocol, reason),
    };
    const live: LiveSocket = {
      socket,
      answers,
      webhooks,
      logSocket,
      homeLog: null,
      welcomeAt: null,
      isRetired: false,
    };
    this.#live.add(live);
    this.#current = live;
  }

  #buildHello(homeLog: SocketLog | null): Frame<'hello'> {
    const { program, store, homeId, instance, describe, load } = this.#options;
    const home = homeLog?.position;
    return {
      type: 'hello',
      program,
      protocol: CHANNEL_VERSION,
      store,
      homeId,
      instance,
      ...describe(),
      ...load(),
      jobs: this.#sender.place,
      ...(home === undefined ? {} : { home }),
    };
  }

  #welcome(live: LiveSocket, { team, runner, jobs, home }: ReceivedFrame<'welcome'>): void {
    const { clock, log, onWelcome, onConnection } = this.#options;
    live.welcomeAt = clock.now();
    onWelcome({ team, runner });
    this.#problem = null;
    onConnection('connected', null);
    log.info({ team: team.slug, runner: runner.name }, 'connected to the control plane');
    for (const other of this.#live) if (other !== live) this.#retire(other);
    this.#sender.attach((frame) => live.socket.frames.send(frame), jobs);
    live.homeLog?.attach(live.logSocket, home ?? null);
  }

  /** Requests that are answered end first. */
  #retire(live: LiveSocket): void {
    live.isRetired = true;
    const { clock } = this.#options;
    const until = clock.now() + RETIRE_MS;
    const look = () => {
      if (live.answers.count === 0 || clock.now() >= until)
        live.socket.close(CLOSED, 'Connected elsewhere.');
      else clock.at(clock.now() + 200, look);
    };
    look();
  }

  #take(live: LiveSocket, frame: ReceivedFrame): void {
    const { answers } = live;
    switch (frame.type) {
      case 'request':
        answers.begin(frame);
        return;
      case 'part':
        answers.takePart(frame);
        return;
      case 'credit':
        answers.addCredit(frame);
        return;
      case 'cancel':
        answers.cancel(frame);
        return;
      case 'senders':
      case 'hook':
      case 'hookPart':
        live.webhooks.receive(frame);
        return;
      case 'claimAnswer':
        this.#claims.answer(frame);
        return;
      case 'committed':
        live.homeLog?.takeCommitted(frame);
        return;
      case 'refused':
        live.homeLog?.takeRefused(live.logSocket, frame);
        return;
      case 'adopt':
        void this.#answerOffer(live, frame);
        return;
      case 'acknowledged':
        if (live === this.#current) this.#sender.acknowledge(frame);
        return;
      case 'overlay':
        this.#options.onOverlay();
        return;
      case 'token':
        this.#takeToken(live, frame.token);
        return;
      case 'drain':
        this.#leaveNode(live, frame.delayMs);
        return;
      default:
        throw new Error(`A runner does not take ${frame.type} frames.`);
    }
  }

  async #answerOffer(live: LiveSocket, offer: ReceivedFrame<'adopt'>): Promise<void> {
    const answer = await this.#options.onAdopt(offer);
    live.socket.frames.send({ type: 'adoptAnswer', homeId: offer.homeId, ...answer });
  }

  /** Keeps a new token, and connects with it: the one before is valid until then. */
  #takeToken(live: LiveSocket, token: string): void {
    const { saveToken, log } = this.#options;
    saveToken(token).then(
      () => {
        this.#token = token;
        log.info({}, 'the token of the control plane was replaced');
        this.#leaveNode(live, 0);
      },
      // The old one stays valid until the new one is used.
      (err: unknown) => log.warn({ err }, 'a new token of the control plane could not be kept'),
    );
  }

  /** The node ends: another socket is opened while this one still answers. */
  #leaveNode(live: LiveSocket, delayMs: number): void {
    if (live.isRetired || live !== this.#current) return;
    live.isRetired = true;
    this.#dialLater(delayMs);
  }

  /** How long to wait after this end, ms. */
  #planWait(end: SocketEnd): number {
    const { random } = this.#options;
    if (isRefused(end)) return REFUSED_RETRY_MS * (0.5 + random() / 2);
    // A node that takes no more just now says when to come back: there is nothing to back away from.
    if (end.retryAfterMs !== null) return end.retryAfterMs + random() * BUSY_SPREAD_MS;
    const wait = planRetry(this.#attempt, random);
    this.#attempt += 1;
    return wait;
  }

  #dialLater(ms: number): void {
    const { clock } = this.#options;
    this.#cancelRetry();
    this.#cancelRetry = clock.at(clock.now() + ms, () => this.#dial());
  }

  #end(live: LiveSocket, end: SocketEnd): void {
    live.answers.close();
    if (live === this.#current) this.#claims.fail();
    this.#live.delete(live);
    live.homeLog?.detach(live.logSocket);
    // While another one exists or comes, nothing has to be done.
    if (this.#isClosed || live.isRetired || live !== this.#current) return;
    this.#current = null;
    this.#sender.detach();
    const { clock, log, onConnection } = this.#options;
    const { status, code, reason } = end;
    if (code === CLOSE_CODES.fenced) {
      onConnection('replaced', reason);
      live.homeLog?.fence();
      return;
    }
    if (code === CLOSE_CODES.replaced) {
      onConnection('replaced', reason);
      log.error(
        { reason },
        'another process has connected with the token of this runner; this one does not try again. Pair it again with svc login, or stop the other one and start this one again',
      );
      return;
    }
    if (live.welcomeAt !== null && clock.now() - live.welcomeAt >= GOOD_AFTER_MS) this.#attempt = 0;
    const isDenied = isRefused(end);
    const wait = this.#planWait(end);
    onConnection(isDenied ? 'refused' : 'connecting', reason);
    const facts = { reason, status, code, againInMs: Math.round(wait) };
    // An outage of a day is one line.
    if (reason !== this.#problem) {
      if (isDenied) log.error(facts, 'the control plane refuses this runner');
      else log.warn(facts, 'there is no connection to the control plane; it is tried again');
    }
    this.#problem = reason;
    this.#dialLater(wait);
  }
}
