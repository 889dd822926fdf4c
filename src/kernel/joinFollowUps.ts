import type { FollowUp, Send } from './contract.ts';

/** Asks each in turn; a refusal is reported to the one whose send it was. */
export function joinFollowUps(...all: readonly FollowUp[]): FollowUp {
  /** Those of the last question; a refusal comes before the next one. */
  let asked: { one: FollowUp; sends: readonly Send[] }[] = [];
  return {
    sends(changes) {
      asked = all.map((one) => ({ one, sends: one.sends(changes) }));
      return asked.flatMap(({ sends }) => sends);
    },
    refused: (send) => asked.find(({ sends }) => sends.includes(send))?.one.refused(send),
  };
}
