import { register } from 'node:module';

/**
 * `node --import tsx --import ./scripts/registerRepairs.ts <program>` runs a program from the sources with the repairs
 * that bundles have.
 */
register('./repairLoader.ts', import.meta.url);
