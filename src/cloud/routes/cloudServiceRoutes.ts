import Type from 'typebox';
import { CloudHealth } from '../../contract/schema/cloud/cloudHealth.ts';
import type { SomeCloudRoutes } from './cloudRoute.ts';

export const cloudServiceRoutes = {
  health: {
    who: 'anyone',
    summary:
      'Whether this node is up, reaches its database, and how safe a commit is. 503 with the same document while the database is away or the node stops.',
    reply: CloudHealth,
    refusals: [],
  },
  openapi: {
    who: 'anyone',
    summary: 'This document: every route with its schemas, as OpenAPI 3.1.',
    reply: Type.Record(Type.String(), Type.Unknown()),
    refusals: [],
  },
} satisfies SomeCloudRoutes;
