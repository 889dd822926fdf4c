import type { DecidesQuestions } from '../../src/contract/policy/decider.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { buildPhaseDigest } from '../../src/policy/decisions/digest/buildPhaseDigest.ts';
import {
  gatherDigestInput,
  MAX_LINES_READ,
  type SeenVisit,
} from '../../src/policy/decisions/digest/gatherDigestInput.ts';
import { ratePhase } from '../../src/policy/decisions/ratePhase.ts';
import { resolveSiteMode } from '../../src/policy/decisions/decisionTerms.ts';
import { join } from 'node:path';
import { createPhases } from '../benchWorkflow.ts';
import { under } from '../figure.ts';
import type { Lab } from '../lab.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

/** Phases that are rated by a provider that answers at once, and digests that are made. */
const RATED = 200;
/** Phases whose provider never answers, and how long it is waited for, ms. */
const UNANSWERED = 10;
const TIMEOUT_MS = 200;
/** Questions whether a layer that is off is on. */
const OFF = 1_000_000;
const JOB = 'bench-job-1';

const SEEN: SeenVisit = {
  facts: {
    at: 0,
    sessions: 1,
    items: [],
    prs: [],
    gateBlocks: 0,
    laps: 0,
    asked: [],
    failing: null,
  },
  changed: null,
  upTo: MAX_LINES_READ,
};

const ANSWERS = {
  requirement: { choice: 'none', confidence: 0.9 },
  goal: { probability: 0.8 },
  seriousness: { score: 0 },
  stuck: { probability: 0 },
};
const atOnce: DecidesQuestions = {
  decide: async ({ id, model }) => ({ id, model, answers: ANSWERS }),
};
const never: DecidesQuestions = { decide: () => new Promise(() => {}) };

/** The effect that rates a phase whose log has as many lines as a digest reads. */
function openRated(lab: Lab) {
  const file = join(lab.folder('rating'), 'state.db');
  const store = openStore({ file, pid: process.pid, now: 0 });
  const { rows } = store;
  const lines = Array.from({ length: MAX_LINES_READ }, (_, n) => ({
    n: n + 1,
    data: JSON.stringify({
      at: '2026-01-01T00:00:00.000Z',
      phase: 'phase-1',
      visit: 1,
      from: 'agent',
      tag: 'tool',
      line: `Read ${n % 3 === 0 ? 'failed' : 'done'}: src/file-${n}.ts`,
    }),
  }));
  const frames = {
    logBefore: (_actor: string, frame: number, limit: number) =>
      lines.slice(Math.max(0, frame - 1 - limit), Math.max(0, frame - 1)).reverse(),
  };
  const [phase] = createPhases(1).phases;
  if (!phase) throw new Error('the workflow of the benchmark has a phase');
  const rate = (decider: DecidesQuestions, timeoutMs: number) =>
    ratePhase({
      rows,
      frames,
      clock: systemClock,
      screen: (text) => text,
      decider: () => decider,
      description: () => 'A benchmark.',
      readChangedFiles: () => null,
      readLastFrame: () => MAX_LINES_READ,
      usageRows: () => [],
    })(
      {
        visit: 1,
        session: 1,
        phase,
        workflowPath: 'workflows/bench.md',
        facts: SEEN.facts,
        terms: {
          mode: 'live',
          onFlag: 'park',
          provider: 'bench',
          model: 'bench',
          timeoutMs,
          thresholds: { offTrackNoul: 0.75, severityScore: 1.5, minChoiceConfidence: 0.5 },
        },
      },
      {
        effectId: 'e',
        actorId: JOB,
        attempt: 1,
        recovered: false,
        signal: new AbortController().signal,
      },
    );
  return {
    rate,
    digest: () => buildPhaseDigest(gatherDigestInput({ rows, frames }, JOB, 1, SEEN)),
    close: () => store.close(),
  };
}

async function timed(times: number, act: () => unknown): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < times; n++) {
    const from = performance.now();
    await act();
    took.push(performance.now() - from);
  }
  return median(took);
}

/**
 * What rating a phase adds to it: by a provider that answers at once, and by one that never does
 * beyond its time; what the digest of 5,000 lines takes; and what a layer that is off costs.
 */
export const ratingRow: Row = {
  figures: ['rating.answered', 'rating.unanswered', 'rating.digest', 'rating.off'],
  async measure(lab, note) {
    const stage = openRated(lab);
    const answeredMs = await timed(RATED, () => stage.rate(atOnce, 1_500));
    const unanswered = await timed(UNANSWERED, () => stage.rate(never, TIMEOUT_MS));
    const digest = await timed(RATED, stage.digest);
    const from = performance.now();
    const off = { mode: 'off', apiKey: '', provider: 'decider', sites: {} } as never;
    for (let n = 0; n < OFF; n++) resolveSiteMode(off, 'overseer');
    const each = ((performance.now() - from) * 1_000) / OFF;
    stage.close();
    note(`a provider that never answers is waited for ${TIMEOUT_MS} ms`);
    return {
      'rating.answered': under({ value: answeredMs, unit: 'ms', target: 60 }),
      'rating.unanswered': under({ value: unanswered - TIMEOUT_MS, unit: 'ms', target: 100 }),
      'rating.digest': under({ value: digest, unit: 'ms', target: 20 }),
      'rating.off': under({ value: each, unit: 'µs', target: 1 }),
    };
  },
};
