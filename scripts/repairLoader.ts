import { readFileSync } from 'node:fs';
import type { LoadHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { repairSource } from './repairPackages.ts';

/** What runs from the sources loads the packages as bundles have them. `registerRepairs.ts` registers it. */
export const load: LoadHook = (url, context, nextLoad) => {
  if (!url.startsWith('file:') || context.format !== 'module') return nextLoad(url, context);
  const path = fileURLToPath(url);
  const source = repairSource(path, () => readFileSync(path, 'utf8'));
  return source === null
    ? nextLoad(url, context)
    : { format: 'module', source, shortCircuit: true };
};
