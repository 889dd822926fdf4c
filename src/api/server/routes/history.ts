import { Readable } from 'node:stream';
import { SvcError } from '../../../shared/errors/errors.ts';
import {
  LogMatches,
  LogPage,
  LogQuery,
  LogSearchQuery,
} from '../../../contract/schema/job/jobLog.ts';
import { JobTimeline } from '../../../contract/schema/job/timeline.ts';
import { abortWhenClientGone } from '../streams/abortWhenClientGone.ts';
import { defineJsonRoute, defineRawRoute } from '../route.ts';

/** The log of a job by pages, and where its time went. */
export const historyRoutes = [
  defineJsonRoute({
    name: 'log',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/log',
    summary:
      'Neighbouring lines of the log with their numbers: from a line on, those before a line, or the newest.',
    query: LogQuery,
    reply: LogPage,
    refusals: ['not-found', 'bad-argument'],
    handle({ params, query }, { runner }) {
      if (query.from !== undefined && query.before !== undefined)
        throw new SvcError('bad-argument', 'Give from or before, not both.');
      return runner.log(params.jobId, query);
    },
  }),
  defineJsonRoute({
    name: 'searchLog',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/log/search',
    summary: 'Numbers of the lines of the log that have a text or report an error, oldest first.',
    query: LogSearchQuery,
    reply: LogMatches,
    refusals: ['not-found', 'bad-argument'],
    handle({ params, query, ctx }, { runner }) {
      if (query.q === undefined && query.level === undefined)
        throw new SvcError('bad-argument', 'Give q, level, or both.');
      return runner.searchLog(params.jobId, query, abortWhenClientGone(ctx));
    },
  }),
  defineRawRoute({
    name: 'logText',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/log.txt',
    summary:
      'Downloads the log as plain text: one line each with its time, phase and author. Colours are left out, control characters are escaped.',
    mime: 'text/plain',
    refusals: ['not-found'],
    handle({ params, ctx }, { runner }) {
      const { jobId } = params;
      const lines = runner.logText(jobId, abortWhenClientGone(ctx));
      ctx.attachment(`${jobId}.log`);
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = ctx.method === 'HEAD' ? '' : Readable.from(lines);
    },
  }),
  defineJsonRoute({
    name: 'timeline',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/timeline',
    summary:
      'Where the time of a job went: its phases with their work and waits, sessions with their tokens, restarts of the runner, and what runs now.',
    reply: JobTimeline,
    refusals: ['not-found'],
    handle: ({ params }, { runner }) => runner.timeline(params.jobId),
  }),
];
