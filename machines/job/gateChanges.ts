import type { JobChange } from './change.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { line } from './log.ts';
import { goTo } from './phaseChanges.ts';
import { completionGate, correctivePrompt, gateFailure, gateLine } from './rules/completionGate.ts';
import { refusalText } from './rules/invariantTexts.ts';
import { happened, refusedBy } from './rules/monitors.ts';

/** The rule that forbids the job to complete now; null = none does. */
function completionRefused(context: JobContext): { id: string; text: string } | null {
  const refused = refusedBy(context, 'complete');
  return refused && { id: refused.rule.id, text: refusalText(refused) };
}

/** The verdict of the gate on the job as it is now. */
export const gateOf = (context: JobContext): ReturnType<typeof completionGate> => {
  const { workItems, gateBlocks, limits } = context;
  const forbidden = completionRefused(context) !== null;
  return completionGate(workItems, gateBlocks, limits.gateBlocks, forbidden);
};

/** Counts a block of the completion gate; the line of the log says which one it is. */
const block = (context: JobContext, event: JobEvent) => {
  const { workItems, limits, monitors } = context;
  const gateBlocks = context.gateBlocks + 1;
  const refused = completionRefused(context);
  const says = gateLine(workItems, gateBlocks, limits.gateBlocks, refused?.text);
  return {
    context: {
      gateBlocks,
      ...(refused && monitors ? { monitors: { ...monitors, held: refused.id } } : {}),
    },
    effects: [line(context, event, 'completion-gate', says)],
  };
};

/** Changes by the completion gate. */
export const gateChanges = {
  blockCompletion: (context, event) => {
    const { phase, workItems, prs, gateBlocks, limits, eventKey } = context;
    const forbidden = completionRefused(context)?.text;
    const limit = limits.gateBlocks;
    const prompt = correctivePrompt(workItems, prs, gateBlocks + 1, limit, forbidden);
    const blocked = block(context, event);
    return { ...blocked, context: { ...goTo(phase, { prompt, eventKey }), ...blocked.context } };
  },
  failGate: (context, event) => {
    const { workItems, limits } = context;
    const blocked = block(context, event);
    const escalationMessage = gateFailure(
      workItems,
      limits.gateBlocks,
      completionRefused(context)?.text,
    );
    return { ...blocked, context: { escalationMessage, ...blocked.context } };
  },
  noteComplete: (context) => ({ context: happened(context, ['complete']) }),
} satisfies Record<string, JobChange>;
