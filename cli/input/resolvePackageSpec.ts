import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { resolveUserPath } from '../../src/host/config/home/paths.ts';

const LOOKS_LIKE_A_PATH = /^(?:[./~\\]|[A-Za-z]:[\\/])/;

/** What to install: a path made absolute, a name of the registry as it is. */
export const resolvePackageSpec = (spec: string, homeDir: string): string => {
  const isPath = LOOKS_LIKE_A_PATH.test(spec) || (spec.endsWith('.tgz') && existsSync(spec));
  return isPath ? resolveUserPath(spec, resolve('.'), homeDir) : spec;
};
