import type { JobChange, JobEffect } from './change.ts';
import { toEventTime } from '../kit/eventTime.ts';
import { createLogEffect } from './log.ts';
import { buildVisitPatch, toVisitRow } from './rows.ts';
import { isApprovedInAdvance } from './rules/checkpoints.ts';
import { startNextVisit } from './rules/createJobContext.ts';
import { recordFacts } from './rules/monitors.ts';
import { toApprovedWord } from '../../src/base/invariants/invariant.ts';
import { describeFallback, usesFallback } from './rules/fallback.ts';
import { findPhase } from './rules/phases.ts';

export const visitChanges = {
  beginVisit: (context, event) => {
    const continues = context.next?.sameVisit === true;
    const isAsked = event.type === 'slot.granted' && !continues;
    const fallback = isAsked ? event.fallback : context.fallback;
    const fields = startNextVisit(context);
    if (fallback || isAsked) fields.fallback = fallback;
    if (!continues && isApprovedInAdvance(context, context.next?.phase ?? ''))
      Object.assign(
        fields,
        recordFacts(context, [toApprovedWord(context.approvals.at ?? context.phase)]),
      );
    // Not the whole context: a copy of it at each wake costs as much as the rest of this.
    const { id, createdAt, workflow } = context;
    const { visit = context.visit, phase = context.phase, status = context.status } = fields;
    const visitRow = { id, createdAt, visit, phase, status };
    const effects: JobEffect[] = [];
    if (!continues && isApprovedInAdvance(context, phase)) {
      const leftCheckpoint = context.approvals.at;
      // A visit cut off before its preparation is not the approved one.
      if (context.session > 0 || context.phase === leftCheckpoint)
        effects.push({
          type: 'row.patch',
          params: buildVisitPatch(context, { approved_by: 'autoApprove' }),
        });
      effects.push(
        createLogEffect(
          context,
          event,
          'approval',
          `phase ${leftCheckpoint} approved by autoApprove (params.autoApprove)`,
        ),
      );
    }
    if (!continues) effects.push({ type: 'row.put', params: toVisitRow(visitRow, event) });
    effects.push(
      createLogEffect(
        visitRow,
        event,
        'phase',
        `phase ${phase} ${continues ? 'continues' : 'begins'}`,
      ),
    );
    const definition = findPhase(workflow, phase);
    if (definition && !continues && usesFallback(definition, fallback))
      effects.push(createLogEffect(visitRow, event, 'model', describeFallback(fallback)));
    return { context: fields, effects };
  },
  /** Closes the visit's row; does nothing if it is closed. */
  endVisit: (context, event, { outcome }: { outcome: string }) =>
    context.visitOpen
      ? {
          context: { visitOpen: false },
          effects: [
            {
              type: 'row.patch',
              params: buildVisitPatch(context, { ended_at: toEventTime(context, event), outcome }),
            },
          ],
        }
      : {},
} satisfies Record<string, JobChange<never>>;
