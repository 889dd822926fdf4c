import type { JobChange } from './change.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { createLogEffect } from './log.ts';
import { goTo } from './phaseChanges.ts';
import {
  decideCompletion,
  buildCorrectivePrompt,
  describeGateFailure,
  describeGateBlock,
} from './rules/completionGate.ts';
import { describeInvariantRefusal } from './rules/describeInvariantRefusal.ts';
import { recordFacts, findForbiddingRule } from './rules/monitors.ts';

/** The rule that forbids the job to complete now; null = none. */
function findCompletionRefusal(context: JobContext): { id: string; text: string } | null {
  const forbidden = findForbiddingRule(context, 'complete');
  return forbidden && { id: forbidden.rule.id, text: describeInvariantRefusal(forbidden) };
}

export const decideGate = (context: JobContext): ReturnType<typeof decideCompletion> => {
  const { workItems, gateBlocks, limits } = context;
  const forbidden = findCompletionRefusal(context) !== null;
  return decideCompletion(workItems, gateBlocks, limits.gateBlocks, forbidden);
};

const countGateBlock = (context: JobContext, event: JobEvent) => {
  const { workItems, limits, monitors } = context;
  const gateBlocks = context.gateBlocks + 1;
  const refusal = findCompletionRefusal(context);
  const says = describeGateBlock(workItems, gateBlocks, limits.gateBlocks, refusal?.text);
  return {
    context: {
      gateBlocks,
      ...(refusal && monitors ? { monitors: { ...monitors, held: refusal.id } } : {}),
    },
    effects: [createLogEffect(context, event, 'completion-gate', says)],
  };
};

export const gateChanges = {
  blockCompletion: (context, event) => {
    const { phase, workItems, prs, gateBlocks, limits, eventKey } = context;
    const forbidden = findCompletionRefusal(context)?.text;
    const limit = limits.gateBlocks;
    const prompt = buildCorrectivePrompt(workItems, prs, gateBlocks + 1, limit, forbidden);
    const block = countGateBlock(context, event);
    return { ...block, context: { ...goTo(phase, { prompt, eventKey }), ...block.context } };
  },
  failGate: (context, event) => {
    const { workItems, limits } = context;
    const block = countGateBlock(context, event);
    const escalationMessage = describeGateFailure(
      workItems,
      limits.gateBlocks,
      findCompletionRefusal(context)?.text,
    );
    return { ...block, context: { escalationMessage, ...block.context } };
  },
  noteComplete: (context) => ({ context: recordFacts(context, ['complete']) }),
} satisfies Record<string, JobChange>;
