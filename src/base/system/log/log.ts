import type { LogLevel } from '../../settings/logLevels.ts';
import { destination, type Logger, pino } from 'pino';

/** The runner's own log (not a job's): JSON lines, or readable lines on a terminal. */
export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;

/** One whose level can be set while it is used. */
export type LevelledLog = Log & { level: string };

/** Members of logged objects that hold secrets wherever they appear. */
const SECRET_PATHS = [
  'token',
  'apiKey',
  'password',
  '*.token',
  '*.apiKey',
  '*.password',
  'headers.authorization',
  'req.headers.authorization',
  'req.headers.cookie',
];

/** Takes lines; one that comes before a crash must not be lost. */
export interface LogTarget {
  write(line: string): void;
}

/**
 * Writes to `to`, a file descriptor or a target of its own, synchronously. Every line goes through `screen`, which takes known secrets out; default: as it is.
 */
export function createLog(
  to: number | LogTarget,
  level: LogLevel,
  screen = (line: string): string => line,
): LevelledLog {
  const stream: LogTarget = typeof to === 'number' ? destination({ fd: to, sync: true }) : to;
  return pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_PATHS, censor: '[secret]' },
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
    },
    { write: (line: string) => void stream.write(screen(line)) },
  );
}

/** Logs nothing. */
export const silentLog: Log = pino({ level: 'silent' });
