import { destination, type Logger, pino } from 'pino';

/** The runner's own log (not a job's): JSON lines, or readable lines on a terminal. */
export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;

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

/** Writes to a file descriptor, synchronously, so that the last line before a crash is not lost. */
export const createLog = (fd: number, level: 'debug' | 'info' | 'warn'): Log =>
  pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_PATHS, censor: '[secret]' },
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
    },
    destination({ fd, sync: true }),
  );

/** Says nothing; for what runs without anybody reading. */
export const silentLog: Log = pino({ level: 'silent' });
