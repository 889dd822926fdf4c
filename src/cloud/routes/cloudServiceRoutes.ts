import Type from 'typebox';
import { CloudHealth, CloudReadiness } from '../../contract/schema/cloud/cloudHealth.ts';
import type { SomeCloudRoutes } from './cloudRoute.ts';

export const cloudServiceRoutes = {
  health: {
    who: 'anyone',
    summary:
      'Whether this node is up, reaches its database, and how safe a commit is. 503 with the same document while the database is away or the node stops.',
    reply: CloudHealth,
    refusals: [],
  },
  ready: {
    who: 'anyone',
    summary:
      'Whether a load balancer may send requests to this node. 503 with the same document while it stops, the database is away, or the node does not count as alive there.',
    reply: CloudReadiness,
    refusals: [],
  },
  metrics: {
    who: 'anyone',
    summary:
      'Figures of this node in the text format of Prometheus, for monitors that send the token in SVC_CLOUD_METRICS_TOKEN; without that variable, for no one.',
    refusals: ['unauthorized'],
  },
  openapi: {
    who: 'anyone',
    summary: 'This document: every route with its schemas, as OpenAPI 3.1.',
    reply: Type.Record(Type.String(), Type.Unknown()),
    refusals: [],
  },
} satisfies SomeCloudRoutes;
