import type { Context } from 'koa';
import { hasRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { Layer } from '../../../workflows/overlay/layer.ts';
import { mergeLayers } from '../../../workflows/overlay/mergeLayers.ts';
import { readLayerFile } from '../../../workflows/overlay/readLayerFile.ts';
import { readMergedFile } from '../../../workflows/overlay/readMergedFile.ts';
import type { authoringRoutes } from '../../routes/authoringRoutes.ts';
import type { CallTeam, CloudHandlers } from '../../server/cloudCall.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import type { Sql } from '../../database/database.ts';
import { findOverlayRepository } from '../overlayRepository.ts';
import { showProposal } from '../showProposal.ts';
import { changeTeamFile } from './changeTeamFile.ts';
import { proposeTeamFile } from './proposeTeamFile.ts';
import { readFileHistory, readFileVersion } from './readFileHistory.ts';
import { readLayersOfPath, readTeamLayers } from './readTeamLayers.ts';

interface AuthoringHandlerParts {
  context: CloudContext;
  readBase(): Promise<Layer>;
  /** The overlay of a team has changed. */
  onChange(teamId: string): void;
}

/** A proxy that compresses answers makes their ETag a weak one. */
const toStrongEtag = (etag: string): string => etag.replace(/^W\//, '');

const readIfMatch = (ctx: Context): string | null => {
  const etag = ctx.get('If-Match');
  return etag === '' ? null : toStrongEtag(etag);
};

/** The role that may write, as the table of the routes has it. */
const WRITER: (typeof authoringRoutes)['writeTeamFile']['who'] = 'admin';

/** Whether a save of theirs makes a version; what others change becomes a proposal. */
const mayWrite = async (sql: Sql, { id, role }: CallTeam): Promise<boolean> =>
  hasRole(role, WRITER) && (await findOverlayRepository(sql, id)) === null;

/** Answers those who read and write the files of a team's overlay. */
export function createAuthoringHandlers(
  parts: AuthoringHandlerParts,
): CloudHandlers<typeof authoringRoutes> {
  const { context, readBase, onChange } = parts;
  const { sql } = context.database;
  return {
    teamLayers: async ({ team, query }) =>
      readTeamLayers(sql, await readBase(), {
        teamId: team.id,
        editable: await mayWrite(sql, team),
        query,
      }),
    async teamLayerFile({ team, query, ctx }) {
      const layers = await readLayersOfPath(sql, await readBase(), team.id, query);
      const { etag, file } = readLayerFile(layers, query);
      ctx.set('ETag', etag);
      return { ...file, editable: file.layer === 'tenant' && (await mayWrite(sql, team)) };
    },
    async teamMergedFile({ team, query }) {
      const layers = await readLayersOfPath(sql, await readBase(), team.id, query);
      return readMergedFile(mergeLayers(layers), query.path);
    },
    teamFileHistory: ({ team, query }) => readFileHistory(sql, team.id, query.path),
    teamFileVersion: ({ team, query }) => readFileVersion(sql, team.id, query),
    async writeTeamFile({ team, person, query: { path }, body: { text }, ctx }) {
      const ifMatch = readIfMatch(ctx);
      const { etag, diagnostics } = await changeTeamFile(parts, {
        team,
        person,
        path,
        text,
        ifMatch,
      });
      if (etag !== null) ctx.set('ETag', etag);
      onChange(team.id);
      return { path, diagnostics };
    },
    async removeTeamFile({ team, person, query: { path }, ctx }) {
      const ifMatch = readIfMatch(ctx);
      await changeTeamFile(parts, { team, person, path, text: null, ifMatch });
      onChange(team.id);
    },
    async proposeTeamFile({ team, person, query: { path }, body }) {
      const etag = body.etag === null ? null : toStrongEtag(body.etag);
      const id = await proposeTeamFile(parts, { team, person, path }, { ...body, etag });
      onChange(team.id);
      return showProposal(sql, await readBase(), team.id, id);
    },
  };
}
