import type { DecisionQuestion } from '../../../src/contract/policy/decider.ts';
import type { OverseerAnswers } from '../../../src/contract/schema/policy/decision.ts';

/** What a decider is asked after a phase in which nothing went wrong. */
export const aQuestion: DecisionQuestion & { site: 'overseer' } = {
  id: 'job-1/3/overseer',
  site: 'overseer',
  model: 'decider-1.13.0',
  deadlineMs: 1500,
  objective: 'Add a greeting to the README.',
  phase: { name: 'coding', visit: 3, of: 'workflows/job.md' },
  obligations: [
    { id: 'o1', text: 'The phase produced the output its workflow contract requires.' },
    { id: 'o2', text: "The work still serves the job's stated objective." },
  ],
  digest: {
    version: 1,
    sha256: '0'.repeat(64),
    counts: { sessions: 1, calls: 4, failedCalls: 0 },
    facts: ['1 session, 40 s'],
    tools: ['Edit README.md ok'],
    failures: [],
    people: [],
    claims: ['The greeting is in place.'],
    history: [],
    truncated: [],
  },
  questions: ['requirement', 'goal', 'seriousness', 'stuck'],
};

export const goodAnswers: OverseerAnswers = {
  requirement: { choice: 'none', confidence: 0.91 },
  goal: { probability: 0.84 },
  seriousness: { score: 0.4 },
  stuck: { probability: 0.03 },
};
