import type { serviceRoutes } from '../../../contract/routes/serviceRoutes.ts';
import type { Handlers } from '../handler.ts';
import { isAbsolute } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import { Readable } from 'node:stream';

export const serviceHandlers = {
  async metrics({ ctx }, { metrics }) {
    const { type, text } = await metrics();
    ctx.body = text;
    ctx.type = type;
  },
  workflows: async (_call, { runner }) => ({ workflows: await runner.workflows() }),
  stopRunner({ body }, { process: ofRunner, runner }) {
    const handsOver = body.handOver === true;
    if (handsOver && runner.health().cloud === undefined)
      throw new SvcError(
        'not-possible-now',
        'This runner works for no team: no other runner could continue its jobs. To pair it, run svc login in a terminal of its machine.',
      );
    ofRunner.stop(handsOver);
    return { pid: process.pid };
  },
  restartRunner({ body, by }, { process: ofRunner }) {
    const { program = null } = body;
    // It is started with the rights of this user: only who can read the home may name it.
    if (program !== null && by !== 'token')
      throw new SvcError(
        'forbidden',
        "Only with the runner's token can another program be named. Run svc upgrade on this machine.",
      );
    if (program !== null && !isAbsolute(program))
      throw new SvcError('bad-argument', `program is "${program}", but must be an absolute path.`);
    return ofRunner.restart(program);
  },
  leaveTeam: ({ body }, { leaveTeam }) => leaveTeam(body.abandon ?? false),
  openapi: (_call, { openapi }) => openapi(),
  async backup({ by, ctx, body }, { runner }) {
    if (by !== 'token')
      throw new SvcError(
        'forbidden',
        "A backup holds the secrets of the home: only the runner's token opens it. Run svc backup on this machine.",
      );
    const tar = Readable.from(await runner.backup(body), { objectMode: false });
    // The reply has begun: only its end can say that it is incomplete.
    tar.once('error', () => ctx.res.destroy());
    ctx.res.once('close', () => tar.destroy());
    ctx.type = 'application/x-tar';
    ctx.body = tar;
  },
} satisfies Handlers<typeof serviceRoutes>;
