import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

interface Repair {
  file: RegExp;
  /** Texts of the file, and what replaces them. Each has to occur once: a new version is checked again. */
  replacements: readonly (readonly [text: string, replacement: string])[];
}

const REPAIRS: readonly Repair[] = [
  {
    // postgres 3.4.9: after the server has ended a connection within a transaction, the next statement of that transaction
    // goes to the connection that has followed in this place, and so into the transaction of someone else.
    file: /[\\/]postgres[\\/]src[\\/]index\.js$/,
    replacements: [
      [
        '      , connection\n      , prepare = null',
        '      , connection\n      , closedBy = null\n      , prepare = null',
      ],
      [
        'new Promise((_, reject) => connection.onclose = reject)\n      ])\n    } catch',
        'new Promise((_, reject) => connection.onclose = error => (closedBy = error, reject(error)))\n      ])\n    } catch',
      ],
      [
        'q.catch(e => uncaughtError || (uncaughtError = e))\n',
        'q.catch(e => uncaughtError || (uncaughtError = e))\n        if (closedBy)\n          return q.reject(closedBy)\n',
      ],
    ],
  },
  {
    // porsager/postgres issues 1154 and 1208: a statement on a connection that has just ended is written to no socket. That
    // ends the process, and what was not written keeps the next connection in this place from being opened.
    file: /[\\/]postgres[\\/]src[\\/]connection\.js$/,
    replacements: [
      [
        'function nextWrite(fn) {\n',
        `function nextWrite(fn) {
    if (socket === null) {
      nextWriteTimer !== null && clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return false
    }
`,
      ],
      [
        'clearImmediate(nextWriteTimer)\n    socket.removeListener',
        'clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
      ],
    ],
  },
];

function repair(source: string, path: string, { replacements }: Repair): string {
  return replacements.reduce((text, [old, replacement]) => {
    if (text.split(old).length !== 2)
      throw new Error(`${path} is not the file that is repaired. Is the fault still there?`);
    return text.replace(old, replacement);
  }, source);
}

/** The source of a package's file as it is used; null for a file that is not repaired. */
export function repairSource(path: string, readSource: () => string): string | null {
  const entry = REPAIRS.find(({ file }) => file.test(path));
  return entry === undefined ? null : repair(readSource(), path, entry);
}

/** Repairs faults of packages that are in no release of theirs yet. */
export const repairPackages: Plugin = {
  name: 'repair-packages',
  setup({ onLoad }) {
    for (const one of REPAIRS)
      onLoad({ filter: one.file }, async ({ path }) => ({
        contents: repair(await readFile(path, 'utf8'), path, one),
        loader: 'js',
      }));
  },
};
