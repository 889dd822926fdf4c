import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  dispatcherId,
  jobChart,
  type JobContext,
  type JobInput,
  type JobPorts,
  type SubRunsPorts,
  subRunsChart,
} from '../../machines/index.ts';
import type { Kernel } from '../../src/durable/contract.ts';
import { createKernel } from '../../src/durable/kernel.ts';
import type { Port } from '../../src/durable/port.ts';
import { Slots } from '../../src/runner/slots.ts';
import { subRunSpecs } from '../../src/runner/campaign/subRunSpecs.ts';
import { type OpenStore, openStore } from '../../src/store/openStore.ts';
import { CAMPAIGN_WORKFLOW, phase, workflow } from '../support/jobSteps.ts';
import { SimulatedClock } from '../support/simulatedClock.ts';

const test = suite('campaigns: a crash at every commit');

const PARENT = 'shop-job-1';
const CHILD_WORKFLOW = workflow([phase('building')]);
const SPECS = [{ name: 'a' }, { name: 'b', dependsOn: ['a', 'c'] }, { name: 'c' }].map((spec) => ({
  ...spec,
  description: 'does it',
}));
/** Turns of the event loop after which a play that is not over hangs. */
const MOST_TURNS = 3_000;

type Death = 'before the commit' | 'after the commit';

const inputOf = (id: string, more: Partial<JobInput>): JobInput => ({
  ...{ id, type: 'campaign', tenantId: 'solo-test', workflowPath: 'workflows/any.md', workflow: CAMPAIGN_WORKFLOW, params: {} },
  ...{ interactive: true, limits: { gateBlocks: 5, sessionsPerVisit: 10 }, createdAt: 0, ...more },
});

/**
 * A parent registers three sub-runs, two at once, halt-on-failure: `c` fails before `b` can begin, a person runs it again, all are complete and
 * the parent comes back. Every effect is instant; the process may die at one commit and is started again on its store.
 */
class Play {
  readonly store: OpenStore = openStore({ file: ':memory:', pid: 1, now: 0 });
  readonly #clock = new SimulatedClock();
  readonly #dieAt: number;
  readonly #death: Death;
  #alive = 0;
  #jobs = 0;
  #kernel: Kernel;
  commits = 0;
  deaths = 0;
  /** What each commit was about. */
  readonly events: string[] = [];

  constructor(dieAt = 0, death: Death = 'before the commit') {
    this.#dieAt = dieAt;
    this.#death = death;
    this.#kernel = this.#live();
  }

  async toTheEnd(): Promise<void> {
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      await this.#turn();
      if (this.store.durable.actor(PARENT)?.index.activity !== 'ended') continue;
      // What the last commit asks for is carried out as well.
      for (let more = 0; more < 20; more++) await this.#turn();
      return;
    }
    throw new Error(`it hangs: ${JSON.stringify(this.outcome())}`);
  }

  /** All that a crash must not change. */
  outcome() {
    const { store } = this;
    const parent = store.durable.journal(PARENT, 0, 1_000).filter(({ note }) => !note);
    const jobs = store.actors.list({ chart: 'job', limit: 100, offset: 0 }).rows.map(({ id }) => this.#context(id).subRunOf);
    return {
      rows: subRunSpecs(store.rows, PARENT).map(({ name, status, attempt, reason }) => [name, status, attempt, reason]),
      jobs: jobs.flatMap((of) => (of ? [`${of.name} ${of.attempt}`] : [])).toSorted(),
      dispatcher: store.durable.actor(dispatcherId(PARENT))?.index.label,
      parent: store.durable.actor(PARENT)?.index.label,
      settled: parent.filter(({ event }) => event.type === 'subRuns.settled').length,
      visits: store.rows
        .all<{ phase: string }>('phase_visits', { job_id: PARENT }, { order: 'visit' })
        .map((visit) => visit.phase),
      left: [...store.durable.pendingEffects(), ...store.durable.pendingMail()].length,
    };
  }

  #context(id: string): JobContext {
    return (JSON.parse(this.store.durable.actor(id)?.snapshot ?? '') as { context: JobContext }).context;
  }

  async #turn(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#clock.advance(10);
    const dispatcher = this.#kernel.state(dispatcherId(PARENT));
    const ran = Object(dispatcher?.context).graph?.attempts[2] as unknown;
    // The person comes back as long as the decision is not taken, and decides once.
    if (dispatcher?.value === 'halted' && ran === 1 && this.store.durable.pendingEffects().length === 0) {
      const command = { type: 'subRuns.rerun', name: 'c', params: null, reason: null, by: 'developer' };
      void this.#kernel.send(dispatcherId(PARENT), command).catch(() => undefined);
    }
  }

  #live(): Kernel {
    this.#alive += 1;
    const life = this.#alive;
    const lives = () => life === this.#alive;
    const real = this.store.durable;
    const { commit } = Object.getPrototypeOf(real) as typeof real;
    const write = (batch: Parameters<typeof commit>[0]): undefined => {
      if (!lives()) throw new Error('the process is gone');
      this.commits += 1;
      this.events.push(batch.journal.map(({ event }) => event.type).join('+'));
      const dies = this.commits === this.#dieAt;
      if (dies && this.#death === 'before the commit') this.#die();
      commit.call(real, batch);
      if (dies) this.#die();
      return undefined;
    };
    real.commit = write;
    const slots = new Slots({ actors: this.store.actors, clock: this.#clock, limit: 3, onError: () => {} });
    const kernel = createKernel({
      store: real,
      charts: [jobChart, subRunsChart],
      followUp: slots,
      clock: this.#clock,
      onError: () => {},
      ports: this.#ports(() => kernel, lives),
    });
    void kernel
      .start()
      .then(() => {
        slots.start(kernel);
        return kernel.submit({ starts: [{ chart: jobChart.id, id: PARENT, input: inputOf(PARENT, {}) }] });
      })
      .catch(() => undefined);
    return kernel;
  }

  #die(): never {
    this.deaths += 1;
    this.#kernel = this.#live();
    throw new Error('the process has died');
  }

  #ports(kernel: () => Kernel, lives: () => boolean) {
    /** Nothing of a process that has died is heard of. */
    const ofLife =
      <Params>(port: Port<Params>): Port<Params> =>
      async (params, run) => {
        const outcome = await port(params, run);
        return lives() ? outcome : new Promise(() => {});
      };
    const ports: { [Name in keyof (JobPorts & SubRunsPorts)]: Port<(JobPorts & SubRunsPorts)[Name]> } = {
      'phase.prepare': ofLife(async ({ visit }, { actorId }) => {
        const table = actorId === PARENT ? CAMPAIGN_WORKFLOW : CHILD_WORKFLOW;
        return { events: [{ type: 'phase.prepared', visit, workflow: table, overlayHash: 'h', checkout: null }] };
      }),
      'session.open': ofLife(async ({ visit, session, phase: { name } }, { actorId }) => {
        if (name === 'planning') await this.#plan(kernel(), { visit, session });
        const first = this.#context(actorId).subRunOf;
        const [stopReason, error] = first?.name === 'c' && first.attempt === 1 ? ['error', 'no build'] : ['end_turn', null];
        return { events: [{ type: 'session.ended', visit, session, stopReason, error, usage: null }] };
      }),
      'subRun.dispatch': ofLife(async ({ parentJobId, name, attempt }) => {
        // As the runner: whoever asks again gets another id.
        this.#jobs += 1;
        const id = `${name}-job-${this.#jobs}`;
        const input = inputOf(id, { workflow: CHILD_WORKFLOW, subRunOf: { parentJobId, name, attempt } });
        return { events: [{ type: 'subRun.prepared', name, attempt, jobId: id, input }] };
      }),
      'session.stop': async () => {},
      'forge.write': async () => {},
      'subRun.stop': async () => {},
    };
    return ports;
  }

  async #plan(kernel: Kernel, fence: { visit: number; session: number }): Promise<void> {
    const both = (own: Record<string, unknown>, command: { type: string; [key: string]: unknown }) =>
      kernel.submit({
        sends: [
          { to: PARENT, event: { type: `tool.${own.tool}`, ...own, ...fence } },
          { to: dispatcherId(PARENT), event: command },
        ],
        allOrNothing: true,
      });
    for (const spec of SPECS) await both({ tool: 'register_sub_run', name: spec.name }, { type: 'subRuns.register', spec });
    await both({ tool: 'finalize_sub_runs' }, { type: 'subRuns.finalize', cap: 2, policy: 'halt-on-failure' });
  }
}

const clean = new Play();

test('without a crash all are complete and the parent comes back once', async () => {
  await clean.toTheEnd();
  assert.equal(clean.outcome(), {
    rows: [
      ['a', 'complete', 1, null],
      ['b', 'complete', 1, null],
      ['c', 'complete', 2, null],
    ],
    jobs: ['a 1', 'b 1', 'c 1', 'c 2'],
    ...{ dispatcher: 'settled', parent: 'complete', settled: 1, left: 0 },
    visits: ['planning', 'waiting', 'aggregating'],
  });
  for (const type of [
    'subRuns.register',
    'parent.parked',
    'subRun.prepared',
    'subRun.ended',
    'subRuns.rerun',
    'subRuns.settled',
  ]) {
    assert.ok(
      clean.events.some((events) => events.split('+').includes(type)),
      `${type} has a commit`,
    );
  }
});

for (const death of ['before the commit', 'after the commit'] as const) {
  test(`dead ${death}, each of them: nothing is lost, nothing is done twice (SUB-7)`, async () => {
    for (let at = 1; at <= clean.commits; at++) {
      const play = new Play(at, death);
      await play.toTheEnd();
      const where = `dead ${death} ${at} of ${clean.commits}, ${clean.events[at - 1]}`;
      assert.equal(play.outcome(), clean.outcome(), where);
      assert.is(play.deaths, 1, where);
      assert.equal(play.store.integrity(), []);
      play.store.close();
    }
    console.log(`${clean.commits} points`);
  });
}

test.run();
