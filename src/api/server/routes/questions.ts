import { WhatIfBody } from '../../../contract/schema/api/bodies.ts';
import { DEFAULT_JOURNAL_ROWS, JournalQuery } from '../../../contract/schema/api/queries.ts';
import { MachineList, MachineReply } from '../../../contract/schema/workflow/machine.ts';
import { JournalList, WhatIfReply, WhyReply } from '../../../contract/schema/api/replies.ts';
import { defineJsonRoute } from '../route.ts';

/** Questions about a job's chart; none of them changes anything. */
export const questionRoutes = [
  defineJsonRoute({
    name: 'why',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/why',
    summary: 'What a job waits for, since when, and what would move it.',
    reply: WhyReply,
    refusals: ['not-found'],
    handle: ({ params }, { runner }) => runner.why(params.jobId),
  }),
  defineJsonRoute({
    name: 'whatIf',
    access: 'compute',
    method: 'POST',
    path: '/jobs/:jobId/what-if',
    summary: 'Computes what an event would lead to. Changes nothing.',
    body: WhatIfBody,
    reply: WhatIfReply,
    refusals: ['not-found', 'chart-error'],
    handle: ({ params, body }, { runner }) => runner.whatIf(params.jobId, body.event),
  }),
  defineJsonRoute({
    name: 'machine',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/machine',
    summary:
      'The chart that runs a job, its current state, the open transitions, and its workflow as a chart.',
    reply: MachineReply,
    refusals: ['not-found'],
    handle: ({ params }, { runner }) => runner.machine(params.jobId),
  }),
  defineJsonRoute({
    name: 'machines',
    access: 'read',
    method: 'GET',
    path: '/machines',
    summary:
      'Every chart of the system, and the workflows of the base and tenant layers as charts, with all that drawing them takes.',
    reply: MachineList,
    refusals: [],
    handle: async (_call, { runner }) => ({ machines: await runner.machines() }),
  }),
  defineJsonRoute({
    name: 'journal',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/journal',
    summary: 'Every event that a job took, oldest first. Link names the next page.',
    query: JournalQuery,
    reply: JournalList,
    refusals: ['not-found'],
    handle({ params, query: { after = 0, limit = DEFAULT_JOURNAL_ROWS }, ctx }, { runner }) {
      const rows = runner.journal(params.jobId, after, limit);
      const last = rows.at(-1);
      if (last && rows.length === limit)
        ctx.set('Link', `<${ctx.path}?after=${last.seq}&limit=${limit}>; rel="next"`);
      return rows;
    },
  }),
];
