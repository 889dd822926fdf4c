import { SvcError } from '../../base/errors/errors.ts';
import {
  BLOB_PART_BYTES,
  CHECKPOINT_PART_BYTES,
  MAX_WHOLE_BLOB_BYTES,
  PART_SHA_HEADER,
} from '../../contract/schema/cloud/home.ts';
import type { homeRoutes } from '../routes/homeRoutes.ts';
import type { CloudHandlers } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { createHome, leaveHome, reseedHome } from './beginLog.ts';
import { parseBlobRange } from './blobRange.ts';
import { deleteBlob, listOldBlobs, putBlob, sendBlob } from './blobs.ts';
import { completeCheckpoint, listParts, putPart } from './checkpoints.ts';
import { claimHome } from './claimHome.ts';
import { requireHolder, requireOwn } from './homeErrors.ts';
import { noteDiverged } from './noteDiverged.ts';
import { putBlobPart } from './putBlobPart.ts';
import { readState } from './readState.ts';
import { readUpload } from '../server/readUpload.ts';
import { releaseHome } from './releaseHome.ts';
import { sendCheckpoint } from './sendCheckpoint.ts';
import { sendEntries } from './sendEntries.ts';

/** The routes of runners: those that only `who: 'runner'` may call. */
type OwnHomeRoutes = {
  [Name in keyof typeof homeRoutes as (typeof homeRoutes)[Name]['who'] extends 'runner'
    ? Name
    : never]: (typeof homeRoutes)[Name];
};

const SHA256 = /^[0-9a-f]{64}$/;

/** What a runner reads and writes of its own home. */
export function createHomeHandlers(
  context: CloudContext,
  takeoverMs: number,
): CloudHandlers<OwnHomeRoutes> {
  const { database } = context;
  const { sql } = database;
  return {
    home: ({ runner }) => readState(sql, runner),
    async createHome({ runner, body }) {
      requireOwn(runner);
      await createHome(context, runner, body, takeoverMs);
      return readState(sql, runner);
    },
    async leaveHome({ runner }) {
      requireOwn(runner);
      await leaveHome(context, runner);
    },
    async reseedHome({ runner, body }) {
      requireOwn(runner);
      await reseedHome(context, runner, body);
      return readState(sql, runner);
    },
    async divergedHome({ runner, body }) {
      requireOwn(runner);
      await noteDiverged(context, runner, body);
    },
    homeEntries: ({ runner, query, ctx }) => sendEntries(ctx, sql, runner.runnerId, query),
    claimHome: ({ runner, body }) => claimHome(context, runner, body),
    async releaseHome({ runner, body }) {
      requireHolder(runner);
      await releaseHome(context, runner, body);
      return readState(sql, runner);
    },
    checkpointParts: ({ runner, params }) => listParts(sql, runner.runnerId, params.entry),
    async putCheckpointPart({ runner, params: { entry, part }, ctx }) {
      requireHolder(runner);
      const sha256 = ctx.get(PART_SHA_HEADER);
      if (!SHA256.test(sha256))
        throw new SvcError(
          'bad-argument',
          `The header ${PART_SHA_HEADER} must hold the SHA-256 of the part, in hex.`,
        );
      const body = await readUpload(ctx, CHECKPOINT_PART_BYTES);
      await putPart(context, runner.runnerId, { n: entry, part, sha256, body });
    },
    completeCheckpoint({ runner, params, body }) {
      requireHolder(runner);
      return completeCheckpoint(context, runner.runnerId, { ...body, n: params.entry });
    },
    checkpoint: ({ runner, params, ctx }) =>
      sendCheckpoint(ctx, sql, runner.runnerId, params.entry),
    blobs: ({ runner, query }) => listOldBlobs(context, runner.runnerId, query.after ?? ''),
    blob: ({ runner, params, ctx }) => sendBlob(ctx, sql, runner.runnerId, params.digest),
    async putBlob({ runner, params, ctx }) {
      requireHolder(runner);
      const range = parseBlobRange(ctx.get('Content-Range'));
      const body = await readUpload(ctx, range === null ? MAX_WHOLE_BLOB_BYTES : BLOB_PART_BYTES);
      if (range === null) await putBlob(context, runner.runnerId, params.digest, body);
      else await putBlobPart(context, runner.runnerId, params.digest, { ...range, body });
    },
    async deleteBlob({ runner, params }) {
      requireHolder(runner);
      await deleteBlob(sql, runner.runnerId, params.digest);
    },
  };
}
