import { type ScaffoldKind, TEST_HEAD } from './kind.ts';

const INDEX = `import { definePlugin } from './contract.js';

/** Shortest word of an obligation that is looked for. */
const WORD_LENGTH = 4;

const wordsOf = (text: string): string[] =>
  text.toLowerCase().split(/[^\\p{L}\\p{N}]+/u).filter((word) => word.length >= WORD_LENGTH);

export default definePlugin({
  kind: 'decider',

  create: ({ config }) => ({
    /** Yours asks a model or a service; this one looks for the words of each obligation. */
    async decide({ obligations, evidence }, signal) {
      signal.throwIfAborted();
      // One that cannot tell throws: it never invents a rating.
      if (obligations.length === 0) throw new Error('The phase has no obligations.');
      const said = new Set(wordsOf(evidence));
      const kept = obligations.filter((one) => wordsOf(one).some((word) => said.has(word)));
      const score = Math.round((100 * kept.length) / obligations.length);
      const verdict = score >= Number(config.enough) ? 'enough' : 'too few';
      const reason = \`\${kept.length} of \${obligations.length} obligations are mentioned: \${verdict}.\`;
      return { score, reason };
    },

    async healthcheck() {
      return { ok: true, detail: 'It needs no service.' };
    },
  }),
});
`;

const TEST = `${TEST_HEAD}
const decider = await plugin.create({ config: { enough: 80 } });
const decide = (evidence) => {
  const question = { jobId: 'job-1', phase: 'coding', obligations: ['The tests pass.'], evidence };
  return decider.decide(question, new AbortController().signal);
};

test('a phase that mentions its obligations is rated high', async () => {
  assert.equal((await decide('All tests are green.')).score, 100);
  assert.equal((await decide('Done.')).score, 0);
});
`;

export const DECIDER: ScaffoldKind = {
  noun: 'The decider',
  manifest: {
    offers: ['healthcheck'],
    settings: {
      enough: { type: 'integer', description: 'Score from which on a phase is done.', default: 80 },
    },
  },
  index: INDEX,
  test: TEST,
  use: 'svc loads, checks and tries it. This release does not ask installed deciders yet.',
  config: { enough: '90' },
};
