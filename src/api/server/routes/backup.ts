import { Readable } from 'node:stream';
import { BackupBody } from '../../../contract/schema/runner/backup.ts';
import { SvcError } from '../../../shared/errors/errors.ts';
import { readCaller } from '../gates/access.ts';
import { defineRawRoute } from '../route.ts';

export const backupRoutes = [
  defineRawRoute({
    name: 'backup',
    access: 'write',
    method: 'POST',
    path: '/backup',
    summary:
      "A backup of the home as a tar, made while the runner works; only with the runner's token, since it holds the secrets of the home. One that was cut on its way lacks its last entry, and svc restore refuses it.",
    mime: 'application/x-tar',
    body: BackupBody,
    bodyRequired: false,
    refusals: ['forbidden', 'not-possible-now', 'store-failed'],
    async handle({ ctx, body }, { runner }) {
      if (readCaller(ctx) !== 'token')
        throw new SvcError(
          'forbidden',
          "A backup holds the secrets of the home: only the runner's token opens it. Run svc backup on this machine.",
        );
      const tar = Readable.from(await runner.backup(body), { objectMode: false });
      // The reply has begun: only its end can say that it is not whole.
      tar.once('error', () => ctx.res.destroy());
      ctx.res.once('close', () => tar.destroy());
      ctx.type = 'application/x-tar';
      ctx.body = tar;
    },
  }),
];
