import type { FollowUp, Send } from './contract.ts';

/** Asks each in turn; a refusal is reported to the one whose send it was. */
export function joinFollowUps(...all: readonly FollowUp[]): FollowUp {
  /** Those of the last question; a refusal comes before the next one. */
  let requests: { one: FollowUp; sends: readonly Send[] }[] = [];
  return {
    sends(changes) {
      requests = all.map((one) => ({ one, sends: one.sends(changes) }));
      return requests.flatMap(({ sends }) => sends);
    },
    onRefused: (send) => requests.find(({ sends }) => sends.includes(send))?.one.onRefused(send),
  };
}
