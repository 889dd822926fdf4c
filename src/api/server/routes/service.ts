import { isAbsolute } from 'node:path';
import Type from 'typebox';
import { EmptyBody } from '../../../contract/schema/api/bodies.ts';
import { GcBody, GcReply, GcSchedule } from '../../../contract/schema/runner/gc.ts';
import { Health, WorkflowList } from '../../../contract/schema/api/replies.ts';
import { SvcError } from '../../../shared/errors/errors.ts';
import { RestartBody, RestartReply, StopReply } from '../../../contract/schema/runner/handover.ts';
import { readCaller } from '../gates/access.ts';
import { defineJsonRoute, defineRawRoute } from '../route.ts';

export const serviceRoutes = [
  defineJsonRoute({
    name: 'health',
    access: 'basic',
    method: 'GET',
    path: '/health',
    summary: 'Whether the runner is up, and how many jobs it holds.',
    reply: Health,
    refusals: [],
    handle: (_call, { runner }) => runner.health(),
  }),
  defineRawRoute({
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
  defineJsonRoute({
    name: 'workflows',
    access: 'read',
    method: 'GET',
    path: '/workflows',
    summary: 'The workflows that a job can use.',
    reply: WorkflowList,
    refusals: [],
    handle: async (_call, { runner }) => ({ workflows: await runner.workflows() }),
  }),
  defineJsonRoute({
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
  defineJsonRoute({
    name: 'gcSchedule',
    access: 'read',
    method: 'GET',
    path: '/gc',
    summary: 'When the runner clears away by itself, and what its last 50 runs have done.',
    reply: GcSchedule,
    refusals: [],
    handle: (_call, { runner }) => runner.gcSchedule(),
  }),
  defineJsonRoute({
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
  defineJsonRoute({
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
      if (program !== null && readCaller(ctx) !== 'token')
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
  defineJsonRoute({
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
