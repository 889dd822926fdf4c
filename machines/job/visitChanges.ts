import type { JobChange, JobEffect } from './change.ts';
import { timeOf } from '../kit/eventTime.ts';
import { line } from './log.ts';
import { visitPatch, visitRow } from './rows.ts';
import { approvedInAdvance } from './rules/checkpoints.ts';
import { visitBegun } from './rules/contextOf.ts';
import { happened } from './rules/monitors.ts';
import { approvedWord } from '../../src/domain/invariants/invariant.ts';
import { fallbackText, fallsBack } from './rules/fallback.ts';
import { phaseNamed } from './rules/phases.ts';

/** Changes that open and close the visits of phases, and their rows. */
export const visitChanges = {
  beginVisit: (context, event) => {
    const continues = context.next?.sameVisit === true;
    const isAsked = event.type === 'slot.granted' && !continues;
    const fallback = isAsked ? event.fallback : context.fallback;
    const fields = visitBegun(context);
    if (fallback || isAsked) fields.fallback = fallback;
    if (!continues && approvedInAdvance(context, context.next?.phase ?? ''))
      Object.assign(
        fields,
        happened(context, [approvedWord(context.approvals.at ?? context.phase)]),
      );
    const begun = { ...context, ...fields };
    const effects: JobEffect[] = [];
    if (!continues && approvedInAdvance(context, begun.phase)) {
      const left = context.approvals.at;
      // A visit that was cut off before it was prepared is not the one that is approved.
      if (context.session > 0 || context.phase === left)
        effects.push({
          type: 'row.patch',
          params: visitPatch(context, { approved_by: 'autoApprove' }),
        });
      effects.push(
        line(
          context,
          event,
          'approval',
          `phase ${left} approved by autoApprove (params.autoApprove)`,
        ),
      );
    }
    if (!continues) effects.push({ type: 'row.put', params: visitRow(begun, event) });
    effects.push(
      line(begun, event, 'phase', `phase ${begun.phase} ${continues ? 'continues' : 'begins'}`),
    );
    const phase = phaseNamed(begun.workflow, begun.phase);
    if (phase && !continues && fallsBack(phase, fallback))
      effects.push(line(begun, event, 'model', fallbackText(fallback)));
    return { context: fields, effects };
  },
  /** Closes the visit's row once; a visit that is closed already stays as it was. */
  endVisit: (context, event, { outcome }: { outcome: string }) =>
    context.visitOpen
      ? {
          context: { visitOpen: false },
          effects: [
            {
              type: 'row.patch',
              params: visitPatch(context, { ended_at: timeOf(context, event), outcome }),
            },
          ],
        }
      : {},
} satisfies Record<string, JobChange<never>>;
