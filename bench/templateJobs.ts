import type { DurableEvent } from '../src/kernel/chart.ts';
import type { Kernel } from '../src/kernel/contract.ts';
import { createPhases } from './benchWorkflow.ts';
import { jobInput } from './jobInput.ts';

export const TEMPLATE_REPO = 'template-repository';

/** States of the jobs that are copied: what they wait for, or that they have ended. */
export const TEMPLATES = ['event', 'approval', 'paused', 'ended'] as const;
export type TemplateName = (typeof TEMPLATES)[number];
export const templateId = (name: TemplateName): string => `template-${name}`;
/** Numbers of its pull requests: of six digits, so that no other number contains one. */
export const templatePrs = (name: TemplateName): readonly number[] => {
  const first = 900_001 + 2 * TEMPLATES.indexOf(name);
  return [first, first + 1];
};

const fence = { visit: 1, session: 1 };
const createPr = (number: number) => ({
  prId: `github:${TEMPLATE_REPO}#${number}`,
  forge: 'github',
  repo: TEMPLATE_REPO,
  number,
  title: `Part ${number} of the change`,
  head: `svc/part-${number}`,
  base: 'main',
  url: `https://github.com/shop/${TEMPLATE_REPO}/pull/${number}`,
  state: 'open',
  workItem: 'part-1',
  mergedAt: null,
});

/** A session that has opened pull requests, written down what it learned and posted a plan. */
const createSessionEvents = (prs: readonly number[]): DurableEvent[] => [
  {
    type: 'tool.set_work_items',
    items: prs.map((_, n) => ({
      id: `part-${n + 1}`,
      title: `Part ${n + 1} of the change`,
      status: n === 0 ? 'in-progress' : 'pending',
      loopCount: 0,
      prIds: [],
    })),
    ...fence,
  },
  ...prs.flatMap((number): DurableEvent[] => {
    const key = `write-${number}`;
    const write = { key, operation: 'create_pr' };
    return [
      { type: 'tool.forge_write', ...write, forge: 'github', args: {}, ...fence },
      { type: 'forge.wrote', ...write, ok: true, pr: createPr(number), result: { number } },
      {
        type: 'tool.add_insight',
        id: `insight-${number}`,
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
];
const end: DurableEvent = {
  type: 'session.ended',
  stopReason: 'end_turn',
  error: null,
  usage: { inputTokens: 40_000, outputTokens: 2_000, cachedInputTokens: 30_000 },
  ...fence,
};
const awaitPr: DurableEvent = {
  type: 'tool.await_event',
  kinds: null,
  prId: null,
  resumePhase: null,
  heard: [],
  ...fence,
};

const ENDS: Readonly<Record<TemplateName, DurableEvent[]>> = {
  event: [awaitPr, end],
  approval: [end],
  paused: [{ type: 'job.pause' }, end],
  ended: [{ type: 'job.pause' }, end, { type: 'job.cancel', reason: 'no longer needed' }],
};

/** Runs one job of each kind to its state, with everything that a job has after its first phase. */
export async function seedTemplates(kernel: Kernel): Promise<void> {
  for (const name of TEMPLATES) {
    const id = templateId(name);
    const workflow = createPhases(6, { interactive_checkpoint: name === 'approval' });
    const input = jobInput(id, workflow);
    const prepared = { visit: 1, workflow, overlayHash: 'f'.repeat(64), checkout: null };
    const events: DurableEvent[] = [
      { type: 'slot.granted' },
      { type: 'phase.prepared', ...prepared },
      ...createSessionEvents(templatePrs(name)),
      ...ENDS[name],
    ];
    const { sends } = await kernel.submit({
      starts: [
        {
          chart: 'job',
          id,
          input: { ...input, params: { ...input.params, repoSlug: TEMPLATE_REPO } },
        },
      ],
      sends: events.map((event) => ({ to: id, event })),
      allOrNothing: false,
    });
    for (const [n, { accepted }] of sends.entries())
      if (!accepted)
        throw new Error(`${id} does not take ${events[n]?.type}: ${JSON.stringify(sends[n])}`);
  }
}
