import type { JobContext } from '../jobContext.ts';
import type { EventOf } from '../jobEvents.ts';
import { writeLogLine } from '../log.ts';
import { toInsightRow } from '../rows.ts';
import { toDispatcherId, type SubRunsInput } from '../../subRuns/subRunsContext.ts';

type InsightEvent = EventOf<'tool.add_insight'>;
type ProposalToolEvent = EventOf<'tool.propose_change'>;
type RegisteredSubRunEvent = EventOf<'tool.register_sub_run'>;
type Write = EventOf<'tool.forge_write'>;

/** What the agent may do while its session runs. Signals are only noted, and applied at its end. */
export const sessionTools = {
  'tool.set_work_items': { guard: 'workItemsFit', actions: ['noteProgress', 'setWorkItems'] },
  'tool.update_work_item': {
    guard: 'workItemUpdateFits',
    actions: ['noteProgress', 'updateWorkItem'],
  },
  'tool.set_job_params': { guard: 'paramsFit', actions: ['noteProgress', 'setParams'] },
  'tool.checkout': { guard: 'callFits', actions: ['noteProgress', 'storeCheckout'] },

  'tool.escalate': { guard: 'callFits', actions: ['noteProgress', 'askEscalation'] },
  'tool.await_event': { guard: 'awaitFits', actions: ['noteProgress', 'askAwait'] },
  'tool.switch_workflow': { guard: 'switchFits', actions: ['noteProgress', 'askSwitch'] },
  'tool.goto_phase': { guard: 'gotoFits', actions: ['noteProgress', 'askGoto'] },
  'tool.request_new_session': {
    guard: 'newSessionAllowed',
    actions: ['noteProgress', 'askNewSession'],
  },

  'tool.register_sub_run': {
    guard: 'coordinationFits',
    actions: [
      'noteProgress',
      'noteRegistered',
      {
        type: 'actor.start',
        params: ({
          context: { id },
          event: { at },
        }: {
          context: JobContext;
          event: RegisteredSubRunEvent;
        }) => ({
          chart: 'subRuns',
          id: toDispatcherId(id),
          input: { parentJobId: id, createdAt: at } satisfies SubRunsInput,
        }),
      },
    ],
  },
  'tool.finalize_sub_runs': { guard: 'coordinationFits', actions: ['noteProgress', 'askSubRuns'] },
  'tool.sub_run_command': {
    guard: 'coordinationFits',
    actions: [
      'noteProgress',
      writeLogLine<EventOf<'tool.sub_run_command'>>(
        'sub-runs',
        (_context, { command, name }) => `the agent asks for ${command} of ${name}`,
      ),
    ],
  },
  'tool.convert_to_workflow': {
    guard: 'coordinationFits',
    actions: ['noteProgress', 'askConvert'],
  },

  'tool.post_artifact': {
    guard: 'callFits',
    actions: ['noteProgress', 'notePosted', 'storeArtefact'],
  },
  'tool.add_insight': {
    guard: 'callFits',
    actions: [
      'noteProgress',
      'notePosted',
      {
        type: 'row.put',
        params: ({ context, event }: { context: JobContext; event: InsightEvent }) =>
          toInsightRow(context, event),
      },
    ],
  },
  'tool.propose_change': {
    guard: 'callFits',
    actions: [
      'noteProgress',
      writeLogLine<ProposalToolEvent>(
        'proposal',
        (_context, { id, kind, layer, paths }) =>
          `proposal ${id} of kind ${kind} for the ${layer} layer: ${paths.join(', ')}`,
      ),
    ],
  },
  'tool.forge_write': {
    guard: 'writeFits',
    actions: [
      'noteProgress',
      'beginWrite',
      {
        type: 'forge.write',
        params: ({ event: { key, forge, operation, args, at } }: { event: Write }) => ({
          key,
          forge,
          operation,
          args,
          at,
        }),
      },
    ],
  },
} as const;
