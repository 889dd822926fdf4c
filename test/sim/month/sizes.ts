import { statSync } from 'node:fs';
import { join } from 'node:path';
import { surveyTree } from '../../../src/git/cleanup/tree.ts';

/** Bytes of the parts of a home that grow with its jobs. */
export interface Sizes {
  state: number;
  archives: number;
  work: number;
  mirrors: number;
  artefacts: number;
  all: number;
}

export const PARTS = ['state', 'archives', 'work', 'mirrors', 'artefacts', 'all'] as const;

export async function measureSizes(home: string): Promise<Sizes> {
  const bytes = async (name: string) => (await surveyTree(join(home, name))).bytes;
  const parts = {
    state: ['state.db', 'state.db-wal'].reduce(
      (sum, name) => sum + (statSync(join(home, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    ),
    archives: await bytes('archive'),
    work: await bytes('work'),
    mirrors: await bytes('mirrors'),
    artefacts: await bytes('blobs'),
  };
  return { ...parts, all: Object.values(parts).reduce((sum, part) => sum + part, 0) };
}

/** Of each part the most that it had. */
export const findMaximum = (sizes: readonly Sizes[]): Sizes => {
  const most = { state: 0, archives: 0, work: 0, mirrors: 0, artefacts: 0, all: 0 };
  for (const one of sizes) for (const part of PARTS) most[part] = Math.max(most[part], one[part]);
  return most;
};
