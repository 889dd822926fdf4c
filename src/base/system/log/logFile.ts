import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SvcError } from '../../errors/errors.ts';
import { createLog, type LevelledLog } from './log.ts';
import { RollingFile } from './rollingFile.ts';

/** From this size on, MiB, the next line goes into a new file. */
export const LOG_FILE_MIB = 10;
/** Older files that are kept beside the one that is written. */
export const OLD_LOG_FILES = 5;

/** What the names of log files cannot have. */
const IMPOSSIBLE = /[<>"|?*]|(?<!^[A-Za-z]):/;

/**
 * The runner's own log in files beside `file`: `logs/runner.log` is written as `logs/runner.1.log`,
 * `runner.2.log` and so on, mode 0600, in a folder of 0700. Lines are written at once, so that the
 * last one before a crash is not lost. A disk that is full costs lines, and does not end the runner:
 * `lost` is called once. Throws SvcError `bad-argument` for a name that cannot be. `mib`: the size of a file; default {@link LOG_FILE_MIB}.
 */
export async function createFileLog(
  file: string,
  {
    screen,
    onLost: lost,
    mib = LOG_FILE_MIB,
  }: { screen(line: string): string; onLost(error: Error): void; mib?: number },
): Promise<LevelledLog> {
  if (IMPOSSIBLE.test(file))
    throw new SvcError(
      'bad-argument',
      `The log cannot be written to ${JSON.stringify(file)}: the path must not contain < > " | ? * or a colon. Choose another one with --log-file, or another home.`,
    );
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const rolling = new RollingFile(file, { maxBytes: mib * 1024 * 1024, kept: OLD_LOG_FILES });
  let isLost = false;
  const write = (line: string): void => {
    try {
      rolling.write(line);
    } catch (error) {
      if (!isLost) lost(error instanceof Error ? error : new Error(String(error)));
      isLost = true;
    }
  };
  return createLog({ write }, 'info', screen);
}
