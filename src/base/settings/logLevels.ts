/** Levels of the runner's own log; each includes those before it. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export const isLogLevel = (text: string): text is LogLevel =>
  LOG_LEVELS.some((level) => level === text);
