import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Built files are compiled by svc's own loader, which keeps V8's code of an earlier run. */
const HOOK = `
const { appendFileSync } = require('node:fs');
const vm = require('node:vm');
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    appendFileSync(process.env.SVC_TEST_LOADED, String(options?.filename) + '\\n');
  }
};
`;

/** Environment of a built program that notes every file that it loads in `<dir>/loaded`. */
export function noteLoadedFiles(dir: string): Record<string, string> {
  const hook = join(dir, 'noteLoaded.cjs');
  writeFileSync(hook, HOOK);
  const file = join(dir, 'loaded');
  writeFileSync(file, '');
  return { NODE_OPTIONS: `--require=${hook}`, SVC_TEST_LOADED: file };
}

export const readLoadedFiles = (dir: string): ReadonlySet<string> =>
  new Set(readFileSync(join(dir, 'loaded'), 'utf8').split('\n'));

/** Built files that contain a text. */
export const findBuilt = (root: string, text: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(root, name))
    .filter((file) => readFileSync(file, 'utf8').includes(text));

const LISTENING = '0A';

/** Remote ports of the TCP connections that a process has opened itself; Linux alone. `port`: where it listens. */
export function findOutgoingPorts(pid: number, port: number): number[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode = '']) => state !== LISTENING && own.has(inode))
    .filter(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16) !== port)
    .map(([, , remote = '']) => Number.parseInt(remote.split(':')[1] ?? '', 16));
}
