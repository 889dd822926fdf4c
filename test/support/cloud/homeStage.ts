import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { CloudLink } from '../../../src/cloudLink/cloudLink.ts';
import type { LogEnd } from '../../../src/cloudLink/homes/socketLog.ts';
import { reserveHomeId, saveHomeRecord } from '../../../src/host/backup/homeRecord.ts';
import { resolveCheckerProgram } from '../../../src/host/start/homes/openPairedHome.ts';
import { PairedHome } from '../../../src/host/start/homes/pairedHome.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { openStore, type OpenStore } from '../../../src/jobs/store/openStore.ts';
import type { Kernel } from '../../../src/kernel/contract.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { orderChart } from '../charts/orderChart.ts';
import { linkOptions } from './testTeam.ts';

const PACKAGE_ROOT = join(import.meta.dirname, '..', '..', '..');
const STATE = 'state.db';

/** A line of the log: level, text, facts. */
export type LogLine = [level: string, text: string, facts: object];

/** A folder with a home that is paired with a control plane, and the processes that use it in sequence. */
export class HomeStage {
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-home-'));
  readonly lines: LogLine[] = [];
  readonly url: string;
  readonly homeId: string;
  /** Of the runner; a double of the control plane takes any. */
  readonly token: string;
  /** Of the process before: a copy that it makes ends first. */
  closing: Promise<void> = Promise.resolve();
  /** Those of the program that starts next. */
  migrations: readonly string[] = MIGRATIONS;

  constructor(url: string, homeId = 'home1', token = 'svcr_test') {
    this.url = url;
    this.homeId = homeId;
    this.token = token;
  }

  get stateDb(): string {
    return join(this.dir, STATE);
  }

  /** Files in the home beside the usual ones. */
  listAside(): string[] {
    return readdirSync(this.dir)
      .filter((name) => /^state\.db\.[a-z]+-?\d*$/.test(name))
      .sort();
  }

  /** The disk is lost; with `isComplete` its `home.json` too. */
  loseState(): void {
    for (const name of readdirSync(this.dir))
      if (name === STATE || existsSync(join(this.dir, name))) {
        if (name.startsWith(STATE)) rmSync(join(this.dir, name));
      }
  }

  readonly checker = resolveCheckerProgram(PACKAGE_ROOT, false);

  get start() {
    const write =
      (level: string) =>
      (facts: object, text: string): void =>
        void this.lines.push([level, text, facts]);
    return {
      settings: {
        home: this.dir,
        version: '0.2.0',
        cloud: { url: this.url, token: this.token },
        paths: {
          stateDb: this.stateDb,
          blobs: join(this.dir, 'blobs'),
          workingDir: join(this.dir, 'work'),
        },
      },
      clock: systemClock,
      ids: randomIds,
      log: { info: write('info'), warn: write('warn'), error: write('error') },
    };
  }

  /** A start of the runner, up to its kernel. Rejects as it does; nothing is then left open. */
  async open({ isPaired = true } = {}): Promise<OpenHome> {
    await this.closing;
    const paired = isPaired ? this.createPaired() : null;
    try {
      await paired?.claim();
      await reserveHomeId(this.dir, { ...randomIds, next: () => this.homeId });
      const store = openStore({
        file: this.stateDb,
        pid: process.pid,
        now: Date.now(),
        release: '0.2.0',
        migrations: this.migrations,
      });
      await saveHomeRecord(this.dir, randomIds);
      await paired?.begin(store);
      return new OpenHome(this, store, paired);
    } catch (error) {
      await paired?.close();
      throw error;
    }
  }

  createPaired(): PairedHome {
    return new PairedHome(this.start, {
      readToken: () => this.token,
      checker: this.checker,
      migrations: this.migrations,
    });
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** A process that has the home: store, link and kernel. */
export class OpenHome {
  readonly store: OpenStore;
  readonly kernel: Kernel;
  readonly ends: LogEnd[] = [];
  readonly #stage: HomeStage;
  paired: PairedHome | null;
  link: CloudLink | null = null;

  constructor(stage: HomeStage, store: OpenStore, paired: PairedHome | null) {
    this.#stage = stage;
    this.store = store;
    this.paired = paired;
    this.kernel = createKernel({
      screen: null,
      charts: [orderChart],
      clock: systemClock,
      store: store.durable,
      ports: { 'parcel.send': () => new Promise<undefined>(() => {}) },
    });
    if (paired !== null) this.connect();
  }

  connect(): void {
    const { url, token, homeId } = this.#stage;
    if (this.paired !== null) this.paired.onEnd = (end) => this.ends.push(end);
    this.link = new CloudLink(
      linkOptions(url, token, null, {
        homeId,
        homeLog: () => this.paired?.socketLog ?? null,
      }),
    );
  }

  /** `svc login` while it works. */
  async login(): Promise<void> {
    this.paired = this.#stage.createPaired();
    await this.paired.begin(this.store);
    this.connect();
    await this.paired.work(() => this.link?.reconnect());
  }

  async run(): Promise<void> {
    await this.paired?.prepare();
    await this.kernel.start();
  }

  /** A job; resolves when it is acknowledged. */
  async order(id: string): Promise<void> {
    await this.kernel.submit({ starts: [{ chart: 'order', id, input: { id, price: 5 } }] });
  }

  get orders(): string[] {
    return this.store.db.all('SELECT id FROM actors ORDER BY id').map(({ id }) => String(id));
  }

  /** As a kill leaves it: nothing is said to anyone. The next open waits until the file is free. */
  kill(): void {
    this.link?.close();
    this.#stage.closing = this.paired?.close() ?? Promise.resolve();
    this.store.close();
  }

  /** In order. */
  async stop(): Promise<void> {
    await this.kernel.stop(0);
    await this.paired?.finish();
    this.link?.close();
    this.store.close();
  }
}
