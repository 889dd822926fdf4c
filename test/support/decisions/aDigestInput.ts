import type { DigestInput } from '../../../src/policy/decisions/digest/digestInput.ts';

/** A coding phase in which a file was changed and its tests passed at the second try. */
export const aDigestInput: DigestInput = {
  sessions: 1,
  tookMs: 240_000,
  tokens: 41_000,
  changed: {
    count: 2,
    added: 32,
    removed: 1,
    files: [
      { path: 'src/greet.ts', added: 12, removed: 1 },
      { path: 'test/greet.test.ts', added: 20, removed: 0 },
    ],
  },
  artefacts: [],
  items: [{ id: 'w1', title: 'A greeting', status: 'complete', loopCount: 0 }],
  itemUpdates: 1,
  prs: [],
  gateBlocks: 0,
  laps: 0,
  asked: [],
  calls: [
    { name: 'Read', target: 'src/greet.ts', ok: true },
    { name: 'Bash', target: 'npm test', ok: false },
    { name: 'Edit', target: 'src/greet.ts', ok: true },
    { name: 'Bash', target: 'npm test', ok: true },
  ],
  failing: { count: 0, first: '' },
  people: [],
  claims: ['The greeting is in place.'],
  history: [],
};
