import { SvcError } from '../../../shared/errors/errors.ts';
import { ReasonBody } from '../../../contract/schema/api/bodies.ts';
import { Campaign } from '../../../contract/schema/job/campaign.ts';
import {
  type SubRunAction,
  SubRunActionBody,
  SubRunReply,
  SubRunWhatIf,
  SubRunWhatIfBody,
} from '../../../contract/schema/job/subRun.ts';
import { DEPRECATED_SINCE, isOwnClient } from '../replies/headers.ts';
import { defineJsonRoute } from '../route.ts';

const refusals = [
  'not-found',
  'not-possible-now',
  'conflict',
  'chart-error',
  'stopping',
  'store-failed',
] as const;

const METHODS = {
  skip: 'skipSubRun',
  unskip: 'unskipSubRun',
  rerun: 'rerunSubRun',
  cancel: 'cancelSubRun',
} as const satisfies Record<SubRunAction, string>;

/**
 * Only a rerun accepts changed params; the other actions would silently ignore a patch, so their
 * bodies have none.
 */
const pickActionBody = (action: SubRunAction) =>
  action === 'rerun' ? SubRunActionBody : ReasonBody;

const defineActionRoute = (action: SubRunAction, summary: string) =>
  defineJsonRoute({
    name: METHODS[action],
    access: 'write',
    method: 'POST',
    path: `/jobs/:jobId/sub-runs/:name/${action}`,
    summary,
    body: pickActionBody(action),
    bodyRequired: false,
    reply: SubRunReply,
    refusals,
    handle: ({ params, body, requestKey }, { runner }) =>
      runner[METHODS[action]](params.jobId, params.name, body, requestKey),
  });

/** Last part of an older path → the action it means. */
const CHILD_ACTIONS = {
  skip: 'skip',
  rerun: 'rerun',
  cancel: 'cancel',
  abandon: 'cancel',
  resume: 'rerun',
  start: 'rerun',
} as const satisfies Record<string, SubRunAction>;

/** They ask that the sub-run runs: one that has not ended does, or will when its turn comes. */
const BEGINS: ReadonlySet<string> = new Set(['resume', 'start']);

const defineChildRoute = ([older, action]: [string, SubRunAction]) =>
  defineJsonRoute({
    name: `${older}Child`,
    access: 'write',
    method: 'POST',
    path: `/jobs/:jobId/children/:name/${older}`,
    summary: `Older path of POST /jobs/:jobId/sub-runs/:name/${action}.`,
    deprecated: true,
    body: pickActionBody(action),
    bodyRequired: false,
    reply: SubRunReply,
    refusals,
    handle({ params: { jobId, name }, body, requestKey, ctx }, { runner }) {
      ctx.set({
        Deprecation: DEPRECATED_SINCE,
        Link: `</jobs/${jobId}/sub-runs/${name}/${action}>; rel="successor-version"`,
      });
      runner.deprecatedUse('path /jobs/:jobId/children', isOwnClient(ctx));
      if (BEGINS.has(older))
        return runner.rerunSubRun(jobId, name, body, requestKey, { onlyIfEnded: true });
      return runner[METHODS[action]](jobId, name, body, requestKey);
    },
  });

/**
 * The sub-runs of a job that coordinates: their state, what an action would change, and the
 * actions.
 */
export const subRunRoutes = [
  defineJsonRoute({
    name: 'campaign',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/sub-runs',
    summary:
      'The graph of sub-runs: why each one waits, the critical path, contract drift, tokens.',
    reply: Campaign,
    refusals: ['not-found'],
    handle: ({ params }, { runner }) => runner.campaign(params.jobId),
  }),
  defineJsonRoute({
    name: 'subRunWhatIf',
    access: 'compute',
    method: 'POST',
    path: '/jobs/:jobId/sub-runs/:name/what-if',
    summary:
      'Computes what skip, unskip, rerun or cancel of a sub-run would change. Changes nothing.',
    body: SubRunWhatIfBody,
    reply: SubRunWhatIf,
    refusals: ['not-found', 'chart-error'],
    handle({ params, body }, { runner }) {
      if (body.action !== 'rerun' && body.paramsPatch !== undefined) {
        const errors = [{ pointer: '/paramsPatch', message: 'is only for rerun' }];
        throw new SvcError(
          'invalid',
          `The body is not valid: /paramsPatch is only for rerun, not for ${body.action}.`,
          {
            errors,
          },
        );
      }
      return runner.subRunWhatIf(params.jobId, params.name, body);
    },
  }),
  defineActionRoute(
    'skip',
    'Skips a sub-run. Sub-runs that wait for it continue as if it were complete.',
  ),
  defineActionRoute(
    'unskip',
    'Undoes a skip, unless the campaign has settled or something that depends on it has started.',
  ),
  defineActionRoute('rerun', 'Runs a sub-run again; the body can change its params.'),
  defineActionRoute('cancel', 'Ends a sub-run as failed and stops its job.'),
  ...Object.entries(CHILD_ACTIONS).map(defineChildRoute),
];
