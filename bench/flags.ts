import { toolFlags } from '../scripts/toolFlags.ts';

/**
 * Reads the command line of a bench. Call it before anything is started: a wrong flag ends the
 * process.
 */
export function benchFlags() {
  return toolFlags({
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string' },
      parked: { type: 'string', default: '1000000' },
      home: { type: 'string' },
    },
  }).values;
}

export type BenchFlags = ReturnType<typeof benchFlags>;
