import { hashApprovalContent } from '../../../machines/index.ts';
import type { DurableEvent } from '../../kernel/chart.ts';
import type { ProviderEvent, ProviderEventKind } from '../../contract/schema/forge/pr.ts';
import type { Act } from './step.ts';
import { JOB_ID, type World } from './world.ts';

/** An event about the job's newest open pull request, or its newest; null = it has none. */
export function createPrEvent(
  { context: { prs }, clock }: World,
  kind: ProviderEventKind,
): DurableEvent | null {
  const pr = prs.findLast(({ state }) => state === 'open') ?? prs.at(-1);
  if (!pr) return null;
  const { prId, forge, repo, number } = pr;
  const event: ProviderEvent = {
    kind,
    forge,
    repo,
    number,
    prId,
    author: 'reviewer',
    text: '',
    url: `http://127.0.0.1/pr/${number}`,
    externalId: `${kind}-${clock.now()}`,
    happenedAt: clock.now(),
  };
  return { type: 'forge.event', event };
}

export function toActEvent(world: World, act: Act): DurableEvent | null {
  const current =
    world.at === 'parked.approval' ? { shown: hashApprovalContent(world.context) } : {};
  switch (act.do) {
    case 'approve':
    case 'reject':
      return world.at === 'parked.approval'
        ? { type: 'job.resume', eventKey: act.do, ...current }
        : null;
    case 'resume':
      return { type: 'job.resume', eventKey: 'manual-resume', ...current };
    case 'pause':
      return { type: 'job.pause' };
    case 'cancel':
      return { type: 'job.cancel', reason: null };
    case 'message':
      return {
        type: 'job.message',
        id: `m-${world.clock.now()}`,
        text: act.text,
        author: 'developer',
      };
    case 'rerun':
      return { type: 'job.rerun', phase: act.phase };
    case 'event':
      return createPrEvent(world, act.kind);
    default:
      return null;
  }
}

export async function performOthersAct(world: World, act: Act): Promise<string | null> {
  const event = toActEvent(world, act);
  return event ? world.send({ to: JOB_ID, event }) : 'no act applies to it';
}
