import { MAX_MESSAGES } from '../../src/contract/schema/api/queries.ts';
import type { MessageReceipt } from '../../src/contract/schema/session/message.ts';
import type { Invariant } from './invariants.ts';
import type { World } from './world.ts';

const listReceipts = ({
  life,
  ledger,
}: World): { jobId: string; state: string; receipt: MessageReceipt }[] =>
  [...ledger.seqs.keys()].flatMap((jobId) => {
    const state = life?.runner.job(jobId).state.join() ?? '';
    return (life?.runner.messages(jobId, { limit: MAX_MESSAGES }).messages ?? []).map(
      (receipt) => ({ jobId, state, receipt }),
    );
  });

/** What is true of messages and their receipts when every job has come to an end. */
export const MESSAGES: readonly Invariant[] = [
  {
    sentence:
      'every message has one final receipt; only a job that failed, and can be resumed, keeps it queued',
    broken: (world) =>
      listReceipts(world)
        .filter(({ state, receipt }) => {
          const final = ['acknowledged', 'superseded', 'expired'].includes(receipt.state);
          return !final && !(state === 'ended.failed' && receipt.state === 'queued');
        })
        .map(({ jobId, state, receipt }) => `${jobId} (${state}): ${JSON.stringify(receipt)}`),
  },
  {
    sentence:
      'a message that is acknowledged was offered, then delivered, then acknowledged, each time in this order',
    broken: (world) =>
      listReceipts(world).flatMap(({ jobId, receipt }) => {
        const { id, at, offers } = receipt;
        const wrong = offers.filter(({ offeredAt, deliveredAt, acknowledgedAt }) => {
          const times = [at, offeredAt, deliveredAt, acknowledgedAt].filter(
            (time) => time !== null,
          );
          return JSON.stringify(times) !== JSON.stringify(times.toSorted());
        });
        const read = offers.filter(({ acknowledgedAt }) => acknowledgedAt !== null).length;
        const right = wrong.length === 0 && read === (receipt.state === 'acknowledged' ? 1 : 0);
        return right ? [] : [`${jobId}: ${id} ${receipt.state} ${JSON.stringify(offers)}`];
      }),
  },
  {
    sentence:
      'what an agent was given in the middle of its work was written down as offered before',
    broken: (world) => {
      const offered = new Set(
        listReceipts(world).flatMap(({ receipt }) =>
          receipt.offers.length > 0 ? [receipt.id] : [],
        ),
      );
      return [...world.ledger.read].filter(
        // The runner's own words are no message of anyone's.
        (id) => !offered.has(id) && id !== 'kickoff' && !/^(nudge|note)-/.test(id),
      );
    },
  },
  {
    sentence: 'the chart counts as unread exactly the messages that no agent has read',
    broken: (world) =>
      [...world.ledger.seqs.keys()].flatMap((jobId) => {
        const row = world.store.durable.actor(jobId);
        if (row === undefined) return [];
        const { context } = JSON.parse(row.snapshot) as {
          context: { unread: { messages: number } };
        };
        const open = (
          world.life?.runner.messages(jobId, { limit: MAX_MESSAGES }).messages ?? []
        ).filter(({ state }) => ['queued', 'expired'].includes(state)).length;
        return context.unread.messages === open
          ? []
          : [`${jobId}: counts ${context.unread.messages}, but ${open} are`];
      }),
  },
];
