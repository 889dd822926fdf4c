import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInstalledForge } from '../../../src/plugins/installedForge/forge.ts';
import { KeptProcess } from '../../../src/plugins/process/keptProcess.ts';
import { buildPlainEnv } from '../../../src/plugins/process/askPlugin.ts';
import { PluginProcess } from '../../../src/plugins/process/pluginProcess.ts';
import type { Report } from '../../../src/plugins/process/protocol.ts';
import { readPackage } from '../../../src/plugins/manifest.ts';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { PROGRAM } from '../pluginFolder.ts';
import { FakeGitlab } from './fakeGitlab/fakeGitlab.ts';

/** A forge plugin as someone else writes it, whose server is the fake GitLab. */
export const MYFORGE = join(import.meta.dirname, '../../fixtures/plugins/myforge');
export const FORGE_TOKEN = 'glpat-canary-svcsecret';

export interface StageOptions {
  faults?: string;
  consistencyMs?: number;
  token?: string;
}

/** A server on which `svc-robot` is svc's account, and one process of the plugin for its tests. */
export class InstalledForgeStage {
  readonly server = new FakeGitlab();
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-installed-forge-'));
  readonly #kept: KeptProcess[] = [];
  readonly #timers = new Set<() => void>();
  #shared: KeptProcess | null = null;

  static async open(): Promise<InstalledForgeStage> {
    const stage = new InstalledForgeStage();
    stage.server.state.addUser(FORGE_TOKEN, 'svc-robot');
    stage.server.state.addUser('ann-token', 'ann');
    await stage.server.start();
    return stage;
  }

  async #process(options: StageOptions): Promise<KeptProcess> {
    const { manifest, entry } = await readPackage(MYFORGE);
    const { token = FORGE_TOKEN, faults = '' } = options;
    const config = { token, baseUrl: this.server.url, faults };
    const keptProcess = new KeptProcess({
      // No call is too late before the test wants it.
      clock: {
        now: () => systemClock.now(),
        at: (_, run) => {
          this.#timers.add(run);
          return () => this.#timers.delete(run);
        },
      },
      answerMs: 10_000,
      screen: (text) => text.replaceAll(token, '[secret]'),
      onFault: () => {},
      start: async (onReport: (report: Report) => void) =>
        new PluginProcess({
          program: PROGRAM,
          order: { task: { op: 'serve' }, entry, manifest, config, allowHosts: ['127.0.0.1'] },
          env: buildPlainEnv(process.env),
          clock: systemClock,
          cwd: MYFORGE,
          onReport,
        }),
    });
    this.#kept.push(keptProcess);
    return keptProcess;
  }

  /** The forge as the runner has it. Without options all share one process. */
  async forge(name: string, options?: StageOptions): Promise<RemoteForge> {
    const keptProcess = options
      ? await this.#process(options)
      : (this.#shared ?? (await this.#process({})));
    if (!options) this.#shared = keptProcess;
    return createInstalledForge({
      mayAct: mayAlwaysAct,
      id: 'myforge',
      clock: systemClock,
      perJob: 600,
      ask: (call) => keptProcess.call(call),
      screen: (text) => text,
      onSecret: () => {},
      mirrorsDir: join(this.dir, name),
      selfIsPerson: false,
      allowHosts: ['127.0.0.1'],
      can: { createRepo: true, changes: true },
      healthcheck: null,
      ...(options?.consistencyMs === undefined ? {} : { consistencyMs: options.consistencyMs }),
    });
  }

  /** The time of every call in hand is over. */
  endTime(): void {
    for (const run of [...this.#timers]) run();
  }

  async asAnn(repo: string, method: string, path: string, body?: unknown): Promise<void> {
    const url = `${this.server.url}/api/v4/projects/${encodeURIComponent(repo)}${path}`;
    const response = await fetch(url, {
      method,
      headers: { authorization: 'Bearer ann-token' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  async stop(): Promise<void> {
    for (const keptProcess of this.#kept) await keptProcess.stop();
    await this.server.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
