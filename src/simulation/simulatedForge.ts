import type { PrMapping } from '../schema/pr.ts';
import type { Asked, World } from './world.ts';

/** How long a forge takes to write, ms. */
const WRITE_MS = 2_000;

const pullRequest = (number: number, title: string): PrMapping => ({
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

/** The forge has done what a tool asked for. */
export function forgeWrites(
  world: World,
  asked: Extract<Asked, { type: 'forge.write' }>,
): Promise<void> {
  const { key, operation, args } = asked.params;
  const pr =
    operation === 'create_pr'
      ? pullRequest(world.context.prs.length + 1, String(args.title))
      : null;
  return world.answer(asked, WRITE_MS, {
    type: 'forge.wrote',
    key,
    operation,
    ok: true,
    pr,
    result: {},
  });
}
