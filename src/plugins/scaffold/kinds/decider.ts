import { type ScaffoldKind, TEST_HEAD } from './kind.ts';

const INDEX = `import { definePlugin } from './contract.js';

const UNMET = 'o1';

export default definePlugin({
  kind: 'decider',

  create: ({ config }) => ({
    /** Yours asks a model or a service; this one compares what svc has counted. */
    async decide({ id, model, obligations, digest }, signal) {
      signal.throwIfAborted();
      // One that cannot tell throws: it never invents a rating.
      if (obligations.length === 0) throw new Error('The phase has no obligations.');
      const failed = digest.counts.failedCalls ?? 0;
      const many = failed >= Number(config.failures);
      return {
        id,
        // The model that has really answered: svc takes no answer of another one.
        model,
        answers: {
          requirement: { choice: many ? UNMET : 'none', confidence: many ? 0.6 : 0.8 },
          goal: { probability: many ? 0.5 : 0.9 },
          seriousness: { score: many ? 2 : 0 },
          stuck: { probability: many ? 0.8 : 0.1 },
        },
      };
    },

    async healthcheck() {
      return { ok: true, detail: 'It needs no service.' };
    },
  }),
});
`;

const TEST = `${TEST_HEAD}
const decider = await plugin.create({ config: { failures: 3 } });
const question = (failedCalls) => ({
  id: 'job-1/3/1/overseer',
  site: 'overseer',
  model: 'decider-1.13.0',
  deadlineMs: 1500,
  objective: 'Keep accented characters.',
  phase: { name: 'coding', visit: 3, of: 'workflows/job.md' },
  obligations: [{ id: 'o1', text: 'The tests pass.' }],
  digest: {
    version: 1,
    sha256: '',
    counts: { failedCalls },
    facts: [],
    tools: [],
    failures: [],
    people: [],
    claims: [],
    history: [],
    truncated: [],
  },
  questions: ['requirement', 'goal', 'seriousness', 'stuck'],
});
const decide = (failedCalls) => decider.decide(question(failedCalls), new AbortController().signal);

test('many failed calls are an unmet obligation', async () => {
  assert.equal((await decide(0)).answers.requirement.choice, 'none');
  assert.equal((await decide(3)).answers.requirement.choice, 'o1');
});
`;

export const DECIDER: ScaffoldKind = {
  noun: 'The decider',
  manifest: {
    offers: ['healthcheck'],
    settings: {
      failures: {
        type: 'integer',
        description: 'Failed calls from which on an obligation counts as unmet.',
        default: 3,
      },
    },
  },
  index: INDEX,
  test: TEST,
  use: 'Name it in `decision.provider`, and set `decision.mode` to shadow.',
  config: { failures: '5' },
};
