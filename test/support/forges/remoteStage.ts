import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../src/base/time/clock.ts';
import { AccountClient } from '../../../src/providers/account/accountClient.ts';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import { unscreened } from '../standIns/unscreened.ts';

export interface MakeForgeOptions {
  token?: string;
  perJob?: number;
  values?: Record<string, string | number>;
  /** A person uses the account too. Default: false. */
  selfIsPerson?: boolean;
  /** Default: the global one. */
  fetch?: typeof globalThis.fetch;
}

export interface ForgeParts {
  /** Settings of the plugin: `token`, `baseUrl` and what a test adds. */
  values: Record<string, string | number>;
  accountClient: AccountClient;
  clock: Clock;
  mirrorsDir: string;
  selfIsPerson: boolean;
}

interface FakeServer {
  url: string;
  stop(): Promise<void>;
}

export abstract class RemoteStage<Fake extends FakeServer> {
  readonly server: Fake;
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-remote-forge-'));
  readonly #clock: Clock;
  #forge: RemoteForge | null = null;

  constructor(server: Fake, clock: Clock = systemClock) {
    this.server = server;
    this.#clock = clock;
  }

  protected abstract readonly token: string;
  protected abstract readonly api: string;
  protected abstract create(parts: ForgeParts): RemoteForge;

  get forge(): RemoteForge {
    this.#forge ??= this.makeForge();
    return this.#forge;
  }

  makeForge({
    token = this.token,
    perJob = 600,
    values = {},
    selfIsPerson = false,
    fetch = globalThis.fetch,
  }: MakeForgeOptions = {}): RemoteForge {
    return this.create({
      values: { token, baseUrl: this.server.url, ...values },
      accountClient: new AccountClient({
        mayAct: mayAlwaysAct,
        screen: unscreened,
        host: 'the fake',
        clock: this.#clock,
        random: () => 0.5,
        fetch,
        perJob,
        writeGapMs: 0,
      }),
      clock: this.#clock,
      mirrorsDir: join(this.dir, 'mirrors'),
      selfIsPerson,
    });
  }

  async as(token: string, method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.server.url}${this.api}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  async end(): Promise<void> {
    await this.server.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
