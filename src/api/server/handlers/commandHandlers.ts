import type { commandRoutes } from '../../../contract/routes/commandRoutes.ts';
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
  runner.noteDeprecatedUse('path /jobs/:jobId/children', isOwnClient(ctx));
}

/** Asks that the sub-run runs: one that has not ended does, or will when its turn comes. */
const beginChild: Handler<'startChild', (typeof commandRoutes)['startChild']> = (call, env) => {
  noteOlderPath(call, env, 'rerun');
  return env.runner.beginSubRun(call.params.jobId, call.params.name, call.body, call);
};
const cancelChild: Handler<'cancelChild', (typeof commandRoutes)['cancelChild']> = (call, env) => {
  noteOlderPath(call, env, 'cancel');
  return env.runner.cancelSubRun(call.params.jobId, call.params.name, call.body, call);
};

export const commandHandlers = {
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
  skipChild(call, env) {
    noteOlderPath(call, env, 'skip');
    return env.runner.skipSubRun(call.params.jobId, call.params.name, call.body, call);
  },
  rerunChild(call, env) {
    noteOlderPath(call, env, 'rerun');
    return env.runner.rerunSubRun(call.params.jobId, call.params.name, call.body, call);
  },
  cancelChild,
  abandonChild: cancelChild,
  resumeChild: beginChild,
  startChild: beginChild,
  whatIf: ({ params, body }, { runner }) => runner.whatIf(params.jobId, body.event),
  machines: async (_call, { runner }) => ({ machines: await runner.machines() }),
  journal({ params, query: { after = 0, limit = DEFAULT_JOURNAL_ROWS }, ctx }, { runner }) {
    const rows = runner.journal(params.jobId, after, limit);
    const last = rows.at(-1);
    if (last && rows.length === limit)
      ctx.set('Link', `<${ctx.path}?after=${last.seq}&limit=${limit}>; rel="next"`);
    return rows;
  },
} satisfies Handlers<typeof commandRoutes>;
