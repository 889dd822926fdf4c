import type { Kernel } from '../src/kernel/contract.ts';
import type { DurableEvent } from '../src/kernel/chart.ts';
import type { Ports } from '../src/kernel/port.ts';
import { PARKING_WORKFLOW, createPhases } from './benchWorkflow.ts';
import { jobInput } from './jobInput.ts';

const AT_ONCE = 1_000;

/** Ports that never answer: seeded jobs move only when they receive events. */
export const SILENT_PORTS: Ports = {
  'phase.prepare': async () => {},
  'session.open': async () => {},
  'session.stop': async () => {},
  'forge.write': async () => {},
};

export const parkedId = (n: number): string => `bench-job-${String(n).padStart(6, '0')}`;

/**
 * Makes the jobs `from` up to but not `to`: each was started and is parked, paused by a developer.
 * `readParams`: further params.
 */
export async function seedParked(
  kernel: Kernel,
  from: number,
  to: number,
  readParams: (n: number) => Readonly<Record<string, string>> = () => ({}),
): Promise<void> {
  for (let first = from; first < to; first += AT_ONCE) {
    const jobs = Array.from({ length: Math.min(AT_ONCE, to - first) }, (_, n) => first + n);
    await Promise.all(
      jobs.map((n) =>
        start(kernel, parkedId(n), [{ type: 'job.pause' }], PARKING_WORKFLOW, readParams(n)),
      ),
    );
  }
}

const fence = { visit: 1, session: 1 };
const pr = (number: number) => ({
  prId: `local:shop#${number}`,
  forge: 'local',
  repo: 'shop',
  number,
  title: `Part ${number} of the change`,
  head: `svc/part-${number}`,
  base: 'main',
  url: `http://127.0.0.1:3000/forges/local/repos/shop/prs/${number}`,
  state: 'open',
  workItem: `part-${number}`,
  mergedAt: null,
});

/** Makes `count` jobs that wait for an approval, with all data of a job after its first phase. */
export async function seedRich(kernel: Kernel, count: number): Promise<string[]> {
  const workflow = createPhases(6, { interactive_checkpoint: true });
  const items = [1, 2, 3, 4].map((n) => ({
    id: `part-${n}`,
    title: `Part ${n} of the change`,
    status: n === 1 ? 'in-progress' : 'pending',
    loopCount: 0,
    prIds: [],
  }));
  const ids = Array.from({ length: count }, (_, n) => `rich-job-${n}`);
  const createEvents = (job: number): DurableEvent[] => [
    { type: 'slot.granted' },
    { type: 'phase.prepared', visit: 1, workflow, overlayHash: 'f'.repeat(64), checkout: null },
    { type: 'tool.set_work_items', items, ...fence },
    ...[1, 2].flatMap((n): DurableEvent[] => {
      const number = job * 2 + n;
      const key = `write-${number}`;
      return [
        {
          type: 'tool.forge_write',
          key,
          forge: 'local',
          operation: 'create_pr',
          args: {},
          ...fence,
        },
        {
          type: 'forge.wrote',
          key,
          operation: 'create_pr',
          ok: true,
          pr: pr(number),
          result: { number },
        },
        {
          type: 'tool.add_insight',
          id: `insight-${n}`,
          category: 'pitfall',
          text: 'The tests need a clean database.',
          ...fence,
        },
      ];
    }),
    {
      type: 'tool.post_artifact',
      id: 'plan',
      kind: 'plan-md',
      title: 'Plan.md',
      mime: 'text/markdown',
      size: 4_096,
      sha256: 'e'.repeat(64),
      ...fence,
    },
    {
      type: 'session.ended',
      stopReason: 'end_turn',
      error: null,
      usage: { inputTokens: 40_000, outputTokens: 2_000, cachedInputTokens: 30_000 },
      ...fence,
    },
  ];
  await Promise.all(ids.map((id, job) => start(kernel, id, createEvents(job), workflow)));
  return ids;
}

async function start(
  kernel: Kernel,
  id: string,
  events: DurableEvent[],
  workflow: typeof PARKING_WORKFLOW,
  params: Readonly<Record<string, string>> = {},
): Promise<void> {
  const input = jobInput(id, workflow);
  const { sends } = await kernel.submit({
    starts: [{ chart: 'job', id, input: { ...input, params: { ...input.params, ...params } } }],
    sends: events.map((event) => ({ to: id, event })),
    allOrNothing: true,
  });
  const refused = sends.findIndex(({ accepted }) => !accepted);
  if (refused >= 0)
    throw new Error(
      `${id} does not take ${events[refused]?.type}: ${JSON.stringify(sends[refused])}`,
    );
}
