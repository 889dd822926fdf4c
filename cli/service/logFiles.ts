import { watch } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { listLogFiles } from '../../src/base/system/log/rollingFile.ts';
import type { Io } from '../io.ts';

/** The most that is read from the end of a file for its last lines, bytes. */
const READ_BYTES = 4 * 1024 * 1024;

/** Text of a file from a byte on, and where its whole lines end. */
async function readLogFrom(file: string, from: number): Promise<{ lines: string[]; end: number }> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.max(0, size - from));
    await handle.read(bytes, 0, bytes.length, from);
    const last = bytes.lastIndexOf(10);
    const text = bytes.subarray(0, last + 1).toString('utf8');
    return { lines: text.split('\n').slice(0, -1), end: from + last + 1 };
  } finally {
    await handle.close();
  }
}

/** The last `count` lines of all files together. */
export async function readLastLines(files: readonly string[], count: number): Promise<string[]> {
  let lines: string[] = [];
  for (const file of files.toReversed()) {
    if (lines.length >= count) break;
    const { size } = await stat(file);
    const from = Math.max(0, size - READ_BYTES);
    const { lines: more } = await readLogFrom(file, from);
    // The first line of a part may be cut.
    lines = [...(from > 0 ? more.slice(1) : more), ...lines];
  }
  return count === 0 ? [] : lines.slice(-count);
}

/** Hands out further lines as they are written, across files, until Ctrl-C. */
export async function followLog(
  file: string,
  io: Pick<Io, 'onInterrupt'>,
  onLine: (line: string) => void,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  let current = listLogFiles(file).at(-1) ?? '';
  let position = current === '' ? 0 : (await stat(current)).size;
  const more = async (): Promise<void> => {
    const files = listLogFiles(file);
    for (const path of files.slice(Math.max(0, files.indexOf(current)))) {
      if (path !== current) [current, position] = [path, 0];
      const { lines, end } = await readLogFrom(path, position);
      position = end;
      for (const line of lines) onLine(line);
    }
  };
  let turn = Promise.resolve();
  const watcher = watch(dirname(file), () => {
    turn = turn.then(more, more);
  });
  await new Promise<void>((resolve) => {
    const takeBack = io.onInterrupt(() => {
      takeBack();
      resolve();
    });
  });
  watcher.close();
  await turn.catch(() => {});
}
