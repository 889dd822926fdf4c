import { jobChart, type JobContext, type JobPorts, subRunsChart } from '../../../machines/index.ts';
import type { DecidesQuestions, DecisionQuestion } from '../../../src/contract/policy/decider.ts';
import { listLeafPaths } from '../../../src/base/json/listLeafPaths.ts';
import type { Kernel } from '../../../src/kernel/contract.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import type { DurableChart } from '../../../src/kernel/chart.ts';
import type { Batch } from '../../../src/kernel/writer.ts';
import type { Port } from '../../../src/kernel/port.ts';
import type { Clock } from '../../../src/base/time/clock.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import { ratePhase } from '../../../src/policy/decisions/ratePhase.ts';
import type { DecisionReply, RatingTerms } from '../../../src/contract/schema/policy/decision.ts';
import { phase, workflow } from '../../support/charts/jobSteps.ts';
import { MANAGE } from '../../support/charts/ratings.ts';
import { seededRandom } from '../../support/charts/randomWalk.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { memoryStore } from '../../support/memoryStore.ts';
import { goodAnswers } from '../../support/decisions/aQuestion.ts';
import type { RatedLife, RatedVisit } from './ratingTruths.ts';

const WORKFLOW = workflow(['one', 'two', 'three', 'four', 'five'].map((name) => phase(name)));
/** Probability that the runner dies while a phase is rated. */
const DEATH = 0.15;
/** Most steps of one job: it has to be complete by then. */
const MAX_STEPS = 400;

/** One thing of the product that does not work: to prove that a truth notices it. */
export interface RatingFault {
  /** In the place of the chart of jobs. */
  chart?: DurableChart;
  /** What a rating does in the place of the product's own. */
  port?(rate: RatingPort): RatingPort;
  /** What is written. */
  sabotage?(batch: Batch): Batch;
}
export type RatingPort = Port<JobPorts['phase.judge'], Tables>;

/** A store that writes something else. */
const writing = <Store extends { commit(batch: Batch): unknown }>(
  store: Store,
  sabotage: (batch: Batch) => Batch,
): Store =>
  new Proxy(store, {
    get(real, name) {
      if (name === 'commit') return (batch: Batch) => real.commit(sabotage(batch));
      const member: unknown = Reflect.get(real, name, real);
      return typeof member === 'function' ? member.bind(real) : member;
    },
  });

/** All that needs no time has happened. */
const settleQueue = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A question that waits for what the provider does with it. */
interface Open {
  question: DecisionQuestion;
  answer(reply: DecisionReply): void;
  fail(error: Error): void;
}

/** Jobs whose phases are rated by a provider that does anything, while the runner dies at times. */
export async function simulateRating({
  seed,
  jobs,
  fault = {},
}: {
  seed: number;
  jobs: number;
  fault?: RatingFault;
}): Promise<RatedLife & { ratings: number; skips: number; pauses: number; restarts: number }> {
  const random = seededRandom(seed);
  const clock = new SimulatedClock();
  const store = memoryStore();
  const visits = new Map<string, RatedVisit>();
  const ends: string[] = [];
  let open: Open[] = [];
  let terms: RatingTerms = MANAGE;
  let restarts = 0;

  const getVisit = (job: string, visit: number): RatedVisit => {
    const key = `${job}/${visit}`;
    const { interactive } = readContext(job);
    const known = visits.get(key) ?? {
      job,
      visit,
      interactive,
      mode: terms.mode,
      asks: 0,
      restarts: 0,
      taken: 0,
      rows: 0,
      goal: null,
      flag: null,
      pauses: 0,
      answered: [],
    };
    visits.set(key, known);
    return known;
  };
  const note = (job: string, visit: number, change: (was: RatedVisit) => Partial<RatedVisit>) => {
    const was = getVisit(job, visit);
    visits.set(`${job}/${visit}`, { ...was, ...change(was) });
  };

  const decider: DecidesQuestions = {
    decide: (question) =>
      new Promise((answer, fail) => {
        const [job = ''] = question.id.split('/');
        note(job, question.phase.visit, ({ asks }) => ({ asks: asks + 1 }));
        open.push({ question, answer, fail });
      }),
  };
  let lives = 0;
  /** Its timers end with its process. */
  const createLifeClock = (life: number): Clock => ({
    now: () => clock.now(),
    at: (atMs, run) => clock.at(atMs, () => life === lives && run()),
  });
  const createRatingPort = (life: number): RatingPort =>
    ratePhase({
      rows: store.rows,
      frames: store.frames,
      clock: createLifeClock(life),
      screen: (text) => text,
      decider: () => decider,
      description: () => 'Add a greeting.',
      readChangedFiles: () => null,
      readLastFrame: () => 0,
      usageRows: () => [],
    });

  const { chart = jobChart, port = (rate: RatingPort) => rate } = fault;
  const { sabotage } = fault;
  const written = sabotage ? writing(store.durable, sabotage) : store.durable;
  const newKernel = (): Kernel => {
    lives += 1;
    return createKernel({
      screen: null,
      store: written,
      charts: [chart, subRunsChart],
      clock: createLifeClock(lives),
      defer: queueMicrotask,
      onError: () => {},
      ports: {
        'phase.prepare': async ({ visit }: { visit: number }) => ({
          events: [
            { type: 'phase.prepared', visit, workflow: WORKFLOW, overlayHash: '', checkout: null },
          ],
        }),
        'session.open': async ({ visit, session }: { visit: number; session: number }) => {
          const sessionEnd = { type: 'session.ended', visit, session, stopReason: 'end_turn' };
          return { events: [{ ...sessionEnd, error: null, usage: null, judge: terms }] };
        },
        'phase.judge': port(createRatingPort(lives)),
        'session.stop': async () => {},
        'message.offer': async () => {},
        'forge.write': async () => {},
        'subRun.dispatch': async () => {},
        'subRun.stop': async () => {},
      },
    });
  };
  let kernel = newKernel();
  const readContext = (job: string) => kernel.state(job)?.context as JobContext;
  const at = (job: string): string => listLeafPaths(kernel.state(job)?.value ?? '').join(' & ');

  /** Another process finds what is in the store; what was asked is not answered any more. */
  const die = async (job: string): Promise<void> => {
    restarts += 1;
    note(job, readContext(job).visit, (was) => ({ restarts: was.restarts + 1 }));
    open = [];
    kernel = newKernel();
    await kernel.start();
  };

  const answer = (job: string): void => {
    const [first] = open.splice(0, 1);
    if (!first) return void clock.advance(terms.timeoutMs + 1);
    const { question } = first;
    const { id, model } = question;
    const goal = Math.round(random() * 100) / 100;
    const answers = { ...goodAnswers, goal: { probability: goal } };
    const kind = random();
    if (kind < 0.75) {
      note(job, question.phase.visit, (was) => ({ answered: [...was.answered, goal] }));
      first.answer({ id, model, answers });
    } else if (kind < 0.8) first.answer({ id, model: 'another', answers });
    else if (kind < 0.85) first.answer({ id, model, answers: { ...answers, goal: {} } });
    else if (kind < 0.9) first.answer({ id: 'another', model, answers });
    else if (kind < 0.95) first.fail(new Error('503'));
    else clock.advance(terms.timeoutMs + 1);
  };

  const step = async (job: string): Promise<void> => {
    const state = at(job);
    if (state === 'queued') await kernel.send(job, { type: 'slot.granted' });
    else if (state === 'working.judging') {
      if (random() < DEATH) await die(job);
      else answer(job);
    } else if (state === 'parked.flagged') {
      note(job, readContext(job).visit, ({ pauses }) => ({ pauses: pauses + 1 }));
      const message = { type: 'job.message', id: `m-${clock.now()}`, text: 'again', author: 'a' };
      await kernel.send(
        job,
        random() < 0.2 ? message : { type: 'job.resume', eventKey: 'manual-resume' },
      );
    } else if (state.startsWith('parked')) {
      await kernel.send(job, { type: 'job.resume', eventKey: 'manual-resume' });
    }
    clock.advance(1);
    await settleQueue();
  };

  await kernel.start();
  for (let n = 1; n <= jobs; n++) {
    const job = `job-${n}`;
    terms = random() < 0.7 ? MANAGE : { ...MANAGE, mode: 'shadow' };
    const input = {
      id: job,
      type: 'job',
      tenantId: 'solo-test',
      workflowPath: 'workflows/job.md',
      params: { description: 'x' },
      interactive: random() < 0.7,
      createdAt: 0,
      limits: { gateBlocks: 5, sessionsPerVisit: 10 },
      workflow: WORKFLOW,
    };
    await kernel.submit({ starts: [{ chart: jobChart.id, id: job, input }] });
    for (let steps = 0; steps < MAX_STEPS && !at(job).startsWith('ended'); steps++) await step(job);
    ends.push(at(job));
    for (const row of store.rows.all('decisions', { job_id: job }))
      note(job, row.visit, ({ rows }) => ({ rows: rows + 1, goal: row.goal, flag: row.flag }));
    for (const { event } of store.durable.journal(job, 0, Number.MAX_SAFE_INTEGER)) {
      const { type, visit } = event as { type: string; visit?: number };
      if (type === 'phase.judged') note(job, visit ?? 0, ({ taken }) => ({ taken: taken + 1 }));
    }
  }
  store.close();
  const all = [...visits.values()];
  return {
    visits: all,
    ends,
    ratings: all.filter(({ goal }) => goal !== null).length,
    skips: all.filter(({ goal }) => goal === null).length,
    pauses: all.reduce((sum, { pauses }) => sum + pauses, 0),
    restarts,
  };
}
