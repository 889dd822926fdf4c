import type { PrMapping } from '../../contract/schema/forge/pr.ts';
import type { PendingEffect, World } from './world.ts';

const WRITE_MS = 2_000;

const createSimulatedPr = (number: number, title: string): PrMapping => ({
  prId: `local:simulated#${number}`,
  forge: 'local',
  repo: 'simulated',
  number,
  title,
  head: `change-${number}`,
  base: 'main',
  url: `http://127.0.0.1/pr/${number}`,
  state: 'open',
  workItem: null,
  mergedAt: null,
});

export function answerForgeWrite(
  world: World,
  write: Extract<PendingEffect, { type: 'forge.write' }>,
): Promise<void> {
  const { key, operation, args } = write.params;
  const { length } = world.context.prs;
  const { number = length + 1 } = args;
  const title = String(args.title ?? 'The change');
  const pr =
    operation === 'create_pr'
      ? createSimulatedPr(Number(number), title)
      : operation === 'merge_pr'
        ? { ...createSimulatedPr(Number(number), title), state: 'merged' as const }
        : null;
  return world.answer(write, WRITE_MS, {
    type: 'forge.wrote',
    key,
    operation,
    ok: true,
    pr,
    result: {},
  });
}
