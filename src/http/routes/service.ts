import { isAbsolute } from 'node:path';
import Type from 'typebox';
import { EmptyBody } from '../../schema/bodies.ts';
import { GcBody, GcReply, GcSchedule } from '../../schema/gc.ts';
import { Health, WorkflowList } from '../../schema/replies.ts';
import { SvcError } from '../../lib/errors.ts';
import { RestartBody, RestartReply, StopReply } from '../../schema/handover.ts';
import { callerOf } from '../access.ts';
import { jsonRoute, rawRoute } from '../route.ts';

export const serviceRoutes = [
  jsonRoute({
    name: 'health',
    access: 'basic',
    method: 'GET',
    path: '/health',
    summary: 'Whether the runner is up, and how many jobs it holds.',
    reply: Health,
    refusals: [],
    handle: (_call, { runner }) => runner.health(),
  }),
  rawRoute({
    name: 'metrics',
    access: 'scrape',
    method: 'GET',
    path: '/metrics',
    summary:
      'Metrics for Prometheus. Also takes the token of metrics.token in the home, which opens nothing else.',
    mime: 'text/plain',
    refusals: [],
    async handle({ ctx }, { metrics }) {
      const { type, text } = await metrics();
      ctx.body = text;
      ctx.type = type;
    },
  }),
  jsonRoute({
    name: 'workflows',
    access: 'read',
    method: 'GET',
    path: '/workflows',
    summary: 'The workflows that a job can use.',
    reply: WorkflowList,
    refusals: [],
    handle: async (_call, { runner }) => ({ workflows: await runner.workflows() }),
  }),
  jsonRoute({
    name: 'gc',
    access: 'write',
    method: 'POST',
    path: '/gc',
    summary:
      'Deletes leftover files of finished jobs, following the retention settings. Uncommitted or unpushed work is first saved as refs/svc/kept/….',
    body: GcBody,
    bodyRequired: false,
    reply: GcReply,
    refusals: ['not-possible-now'],
    handle: ({ body }, { runner }) => runner.gc(body),
  }),
  jsonRoute({
    name: 'gcSchedule',
    access: 'read',
    method: 'GET',
    path: '/gc',
    summary: 'When the runner clears away by itself, and what its last 50 runs have done.',
    reply: GcSchedule,
    refusals: [],
    handle: (_call, { runner }) => runner.gcSchedule(),
  }),
  jsonRoute({
    name: 'stopRunner',
    access: 'write',
    method: 'POST',
    path: '/runner/stop',
    summary:
      'Stops the runner in order: sessions are interrupted, every job is kept. Answered before it begins.',
    status: 202,
    body: EmptyBody,
    bodyRequired: false,
    reply: StopReply,
    refusals: ['not-possible-now'],
    handle(_call, { process: ofRunner }) {
      ofRunner.stop();
      return { pid: process.pid };
    },
  }),
  jsonRoute({
    name: 'restartRunner',
    access: 'write',
    method: 'POST',
    path: '/runner/restart',
    summary:
      'Lets another program of svc take over home and port while jobs run. Replies once it is loaded and starts; if it is not healthy in time, the previous one continues.',
    status: 202,
    body: RestartBody,
    bodyRequired: false,
    reply: RestartReply,
    refusals: ['not-possible-now', 'conflict'],
    handle({ body, ctx }, { process: ofRunner }) {
      const { program = null } = body;
      // It is started with the rights of this user: only who can read the home may name it.
      if (program !== null && callerOf(ctx) !== 'token')
        throw new SvcError(
          'forbidden',
          "Only with the runner's token can another program be named. Run svc upgrade on this machine.",
        );
      if (program !== null && !isAbsolute(program))
        throw new SvcError(
          'bad-argument',
          `program is "${program}", but must be an absolute path.`,
        );
      return ofRunner.restart(program);
    },
  }),
  jsonRoute({
    name: 'openapi',
    access: 'read',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document: every route with its schemas, as OpenAPI 3.1.',
    reply: Type.Record(Type.String(), Type.Unknown()),
    refusals: [],
    handle: (_call, { openapi }) => openapi(),
  }),
];
