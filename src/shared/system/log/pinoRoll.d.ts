/** The part of pino-roll that is used; the package brings no types. */
declare module 'pino-roll' {
  import type { EventEmitter } from 'node:events';

  function openRolling(options: {
    /** Path without number and extension. */
    file: string;
    /** With its dot; empty = none. */
    extension: string;
    /** Such as `10m`, or `100b`. */
    size: string;
    limit: { count: number; removeOtherLogFiles: boolean };
    sync: boolean;
    mode: number;
  }): Promise<EventEmitter & { write(line: string): boolean; end(): void }>;
  export = openRolling;
}
