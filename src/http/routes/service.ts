import Type from 'typebox';
import { GcBody, GcReply } from '../../schema/gc.ts';
import { Health, WorkflowList } from '../../schema/replies.ts';
import { jsonRoute } from '../route.ts';

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
      'Removes the folders of ended jobs. Work that was not committed or pushed is first saved as refs/svc/kept/….',
    body: GcBody,
    bodyRequired: false,
    reply: GcReply,
    refusals: ['not-possible-now'],
    handle: ({ body }, { runner }) => runner.gc(body),
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
