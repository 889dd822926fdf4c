import type { FollowUp, Send } from './contract.ts';

/** Asks each in turn; a refusal is reported to the one whose send it was. */
export function joinFollowUps(...all: readonly FollowUp[]): FollowUp {
  const senders = new WeakMap<Send, FollowUp>();
  return {
    sends: (changes) =>
      all.flatMap((one) => {
        const sends = one.sends(changes);
        for (const send of sends) senders.set(send, one);
        return sends;
      }),
    refused: (send) => senders.get(send)?.refused(send),
  };
}
