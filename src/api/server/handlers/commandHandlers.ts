import type { commandRoutes } from '../../routes/commandRoutes.ts';
import type { Call, Handler, Handlers, RouteEnv } from '../handler.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { SubRunAction } from '../../../contract/schema/job/subRun.ts';
import { DEPRECATED_SINCE, isOwnClient } from '../replies/headers.ts';
import { DEFAULT_JOURNAL_ROWS } from '../../../contract/schema/api/queries.ts';

/** An older path of an action: says which one has replaced it, and counts the use. */
function noteOlderPath(
  { params, ctx }: Pick<Call<'skipChild', unknown>, 'params' | 'ctx'>,
  { runner }: RouteEnv,
  action: SubRunAction,
): void {
  const { jobId, name } = params;
  ctx.set({
    Deprecation: DEPRECATED_SINCE,
    Link: `</jobs/${jobId}/sub-runs/${name}/${action}>; rel="successor-version"`,
  });
  runner.deprecatedUse('path /jobs/:jobId/children', isOwnClient(ctx));
}

/** Asks that the sub-run runs: one that has not ended does, or will when its turn comes. */
const beginChild: Handler<'startChild', (typeof commandRoutes)['startChild']> = (call, env) => {
  noteOlderPath(call, env, 'rerun');
  const { params, body, requestKey } = call;
  return env.runner.rerunSubRun(params.jobId, params.name, body, requestKey, { onlyIfEnded: true });
};
const cancelChild: Handler<'cancelChild', (typeof commandRoutes)['cancelChild']> = (call, env) => {
  noteOlderPath(call, env, 'cancel');
  const { params, body, requestKey } = call;
  return env.runner.cancelSubRun(params.jobId, params.name, body, requestKey);
};

export const commandHandlers = {
  resume: ({ params, body, requestKey, by }, { runner }) =>
    runner.resume(params.jobId, body, requestKey, by),
  cancel: ({ params, body, requestKey }, { runner }) =>
    runner.cancel(params.jobId, body.reason ?? null, requestKey),
  pause: ({ params, requestKey }, { runner }) => runner.pause(params.jobId, requestKey),
  stopAll: (_request, { runner }) => runner.stopAll(),
  message: ({ params, body, requestKey }, { runner }) =>
    runner.message(params.jobId, body, requestKey),
  rerun: ({ params, requestKey }, { runner }) =>
    runner.rerun(params.jobId, params.phase, requestKey),
  dismiss: ({ params, requestKey, by }, { runner }) => runner.dismiss(params.jobId, requestKey, by),
  undismiss: ({ params, requestKey, by }, { runner }) =>
    runner.undismiss(params.jobId, requestKey, by),
  campaign: ({ params }, { runner }) => runner.campaign(params.jobId),
  subRunWhatIf({ params, body }, { runner }) {
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
  skipSubRun: ({ params, body, requestKey }, { runner }) =>
    runner.skipSubRun(params.jobId, params.name, body, requestKey),
  unskipSubRun: ({ params, body, requestKey }, { runner }) =>
    runner.unskipSubRun(params.jobId, params.name, body, requestKey),
  rerunSubRun: ({ params, body, requestKey }, { runner }) =>
    runner.rerunSubRun(params.jobId, params.name, body, requestKey),
  cancelSubRun: ({ params, body, requestKey }, { runner }) =>
    runner.cancelSubRun(params.jobId, params.name, body, requestKey),
  skipChild(call, env) {
    noteOlderPath(call, env, 'skip');
    const { params, body, requestKey } = call;
    return env.runner.skipSubRun(params.jobId, params.name, body, requestKey);
  },
  rerunChild(call, env) {
    noteOlderPath(call, env, 'rerun');
    const { params, body, requestKey } = call;
    return env.runner.rerunSubRun(params.jobId, params.name, body, requestKey);
  },
  cancelChild,
  abandonChild: cancelChild,
  resumeChild: beginChild,
  startChild: beginChild,
  why: ({ params }, { runner }) => runner.why(params.jobId),
  whatIf: ({ params, body }, { runner }) => runner.whatIf(params.jobId, body.event),
  machine: ({ params }, { runner }) => runner.machine(params.jobId),
  machines: async (_call, { runner }) => ({ machines: await runner.machines() }),
  journal({ params, query: { after = 0, limit = DEFAULT_JOURNAL_ROWS }, ctx }, { runner }) {
    const rows = runner.journal(params.jobId, after, limit);
    const last = rows.at(-1);
    if (last && rows.length === limit)
      ctx.set('Link', `<${ctx.path}?after=${last.seq}&limit=${limit}>; rel="next"`);
    return rows;
  },
} satisfies Handlers<typeof commandRoutes>;
