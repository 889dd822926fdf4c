import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const CLOCK = pathToFileURL(join(import.meta.dirname, 'laterClock.mjs')).href;

/** Variables with which a Node program begins as if it were that much later, ms. */
export const later = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--import ${CLOCK}`,
  LATER_MS: String(ms),
});
