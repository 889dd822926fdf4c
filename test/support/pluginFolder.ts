import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { systemClock } from '../../src/base/time/clock.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import {
  createPluginHost,
  type PluginHost,
  type PluginHostOptions,
} from '../../src/plugins/pluginHost.ts';
import type { PluginProgram } from '../../src/plugins/process/pluginProcess.ts';
import { unscreened } from './standIns/unscreened.ts';

/**
 * The program of plugins' processes as `npm run build` makes it: from its sources each process takes
 * a second longer to start, and to build it takes each test file three.
 */
export const PROGRAM: PluginProgram = {
  file: join(import.meta.dirname, '../../dist/runner/pluginProcess.js'),
  execArgv: [],
};

export const CAPABILITIES = {
  steering: false,
  foldMidTurn: false,
  cancelsToolCalls: false,
  resume: false,
  skills: false,
  systemPrompt: true,
};

/** Source of an executor whose session says hello and ends; `more` replaces members of it. */
export const greeter = (more = ''): string => `
export default {
  kind: 'executor',
  create: ({ config }) => ({
    capabilities: ${JSON.stringify(CAPABILITIES)},
    async run(request) {
      await request.onEvent({ type: 'log', stream: 'stdout', line: 'hello ' + request.kickoff });
      if (request.kickoff !== 'wait')
        return { result: Promise.resolve({ stopReason: 'end_turn', error: null, usage: null }), steering: null, end: async () => {} };
      let end;
      const result = new Promise((resolve) => { end = resolve; });
      return { result, steering: null, end: async () => end({ stopReason: 'interrupted', error: null, usage: null }) };
    },
    ${more}
  }),
  samples: { short: { kickoff: 'there' }, long: { kickoff: 'wait' } },
};`;

export const formatPackageJson = (id: string, svc: Record<string, unknown> = {}): string =>
  JSON.stringify({
    name: `svc-plugin-${id}`,
    version: '1.0.0',
    type: 'module',
    svc: {
      contract: 1,
      id,
      kind: 'executor',
      title: `The plugin ${id}`,
      entry: './index.js',
      capabilities: CAPABILITIES,
      ...svc,
    },
  });

export const writeFiles = (dir: string, files: Readonly<Record<string, string>>): string => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
};

export interface Entry {
  path: string;
  body?: string;
  /** ustar type; default `0`, a file. */
  type?: string;
  link?: string;
  /** What the header says of the size; default: the body's. */
  size?: number;
}

const field = (text: string, bytes: number): Buffer =>
  Buffer.concat([Buffer.from(text), Buffer.alloc(bytes)]).subarray(0, bytes);
const octal = (value: number, bytes: number): Buffer =>
  field(value.toString(8).padStart(bytes - 1, '0'), bytes);

export function packTar(entries: readonly Entry[]): Buffer {
  const parts = entries.flatMap(({ path, body = '', type = '0', link = '', size }) => {
    const bytes = Buffer.from(body);
    const header = Buffer.concat([
      field(path, 100),
      octal(0o644, 8),
      octal(0, 8),
      octal(0, 8),
      octal(size ?? bytes.length, 12),
      octal(0, 12),
      Buffer.from('        '),
      field(type, 1),
      field(link, 100),
      field('ustar\x0000', 8),
      Buffer.alloc(247),
    ]);
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    ).copy(header, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

export const pax = (name: string, value: string): string => {
  const rest = ` ${name}=${value}\n`;
  const length =
    [1, 2, 3]
      .map((digits) => Buffer.byteLength(rest) + digits)
      .find((all, at) => String(all).length === at + 1) ?? 0;
  return `${length}${rest}`;
};

export class PluginHome {
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-plugins-'));
  readonly pluginsDir = join(this.dir, 'plugins');
  readonly unhealthy: string[] = [];

  folder(name: string, code: string, svc: Record<string, unknown> = {}): string {
    return writeFiles(join(this.dir, name), {
      'package.json': formatPackageJson(name, svc),
      'index.js': code,
    });
  }

  tarball(name: string, entries: readonly Entry[]): string {
    const file = join(this.dir, `${name}.tgz`);
    writeFileSync(file, gzipSync(packTar(entries)));
    return file;
  }

  /** The tarball of a whole executor, with further entries. */
  executorTarball(
    id: string,
    code: string,
    svc: Record<string, unknown> = {},
    more: readonly Entry[] = [],
  ): string {
    const whole = [
      { path: 'package/package.json', body: formatPackageJson(id, svc) },
      { path: 'package/index.js', body: code },
    ];
    return this.tarball(id, [...whole, ...more]);
  }

  async host(more: Partial<PluginHostOptions> = {}): Promise<PluginHost> {
    const host = createPluginHost({
      mayAct: mayAlwaysAct,
      pluginsDir: this.pluginsDir,
      program: PROGRAM,
      screen: unscreened,
      version: '0.2.0',
      settings: {},
      builtIn: [],
      hostEnv: process.env,
      clock: systemClock,
      ids: randomIds,
      onUnhealthy: (id, detail) => this.unhealthy.push(`${id}: ${detail}`),
      ...more,
    });
    await host.start();
    return host;
  }

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}
