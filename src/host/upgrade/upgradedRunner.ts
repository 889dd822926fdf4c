import type { RunnerProcess } from '../../contract/runner/runnerProcess.ts';
import { type Deferred, createDeferred } from '../../base/concurrency/createDeferred.ts';
import { ERROR_CODES, type ErrorCode, SvcError } from '../../base/errors/errors.ts';
import {
  type FromSuccessor,
  HANDOVER_PROTOCOL,
  type Refusal,
  type RestartReply,
  ToSuccessor,
} from '../../contract/schema/runner/handover.ts';
import type { AdoptedJob } from '../../contract/schema/runner/cloudStatus.ts';
import { type Channel, parseMessage } from './channel.ts';

/** What a program says of itself before anything is opened. */
interface LoadedFacts {
  version: string;
  storeVersion: number;
}

const isKnownErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_CODES, code);

const toUpgradeError = ({ code, message }: Refusal): SvcError =>
  new SvcError(isKnownErrorCode(code) ? code : 'internal', message);

/**
 * The side of the program that takes over. Where its supervisor is gone, `onRelease` is called as if it
 * had asked: a runner that no process keeps would be in the way of the next start.
 */
export class UpgradedRunner implements Pick<RunnerProcess, 'restart'> {
  readonly #channel: Channel;
  readonly #calls = new Map<number, Deferred<RestartReply>>();
  readonly #go = createDeferred<number>();
  readonly #confirmed = createDeferred<void>();
  readonly #release = createDeferred<{ handOver: boolean }>();

  constructor(channel: Channel) {
    this.#channel = channel;
    channel.onMessage((message) => this.#take(parseMessage(ToSuccessor, message)));
    channel.onGone(() => this.#release.resolve({ handOver: false }));
  }

  get released(): Promise<{ handOver: boolean }> {
    return this.#release.promise;
  }

  /** Resolves when requests may be answered. */
  get confirmed(): Promise<void> {
    return this.#confirmed.promise;
  }

  /** Resolves with the port of the runner before, once the home is free. */
  reportReady(facts: LoadedFacts): Promise<number> {
    this.#say({ type: 'ready', protocol: HANDOVER_PROTOCOL, ...facts });
    return this.#go.promise;
  }

  reportWaiting(reason: string): void {
    this.#say({ type: 'waiting', reason });
  }

  jobs(jobs: AdoptedJob[]): void {
    this.#say({ type: 'jobs', jobs });
  }

  reportOver(): void {
    this.#say({ type: 'over' });
  }

  reportServing(url: string): void {
    this.#say({ type: 'serving', url });
  }

  reportFailed(message: string): void {
    this.#say({ type: 'failed', message });
  }

  restart(root: string | null): Promise<RestartReply> {
    const call = this.#calls.size + 1;
    const answer = createDeferred<RestartReply>();
    this.#calls.set(call, answer);
    this.#say({ type: 'restart', call, root });
    return answer.promise;
  }

  #say(message: FromSuccessor): void {
    this.#channel.send(message);
  }

  #take(message: ToSuccessor | null): void {
    if (message?.type === 'go') this.#go.resolve(message.port);
    else if (message?.type === 'confirmed') this.#confirmed.resolve();
    else if (message?.type === 'release')
      this.#release.resolve({ handOver: message.handOver === true });
    else if (message?.type === 'answer') this.#answer(message.call, message.reply);
  }

  #answer(call: number, reply: RestartReply | Refusal): void {
    if ('code' in reply) this.#calls.get(call)?.reject(toUpgradeError(reply));
    else this.#calls.get(call)?.resolve(reply);
  }
}
