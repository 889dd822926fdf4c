import { SvcError } from '../../base/errors/errors.ts';
import type { Layer } from '../../workflows/overlay/layer.ts';
import type { overlayRoutes } from '../routes/overlayRoutes.ts';
import type { CloudHandlers } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { applyTeamProposal } from './applyTeamProposal.ts';
import { approveProposal, rejectProposal } from './decideProposal.ts';
import { diffVersions } from './diffVersions.ts';
import { sendFile } from './overlayFiles.ts';
import { listPulls, readPullContent } from './overlayPulls.ts';
import { readProposal, toSentState } from './proposalRows.ts';
import { reportPull } from './reportPull.ts';
import { restoreVersion } from './restoreVersion.ts';
import { listProposals, showProposal } from './showProposal.ts';
import { storeProposal } from './storeProposal.ts';
import { listVersions, readNewestVersion, readVersion } from './versionRows.ts';

interface OverlayHandlerParts {
  context: CloudContext;
  readBase(): Promise<Layer>;
  /** The overlay of a team, or a proposal for it, has changed. */
  onChange(teamId: string): void;
}

export function createOverlayHandlers(
  parts: OverlayHandlerParts,
): CloudHandlers<typeof overlayRoutes> {
  const { context, readBase, onChange } = parts;
  const { sql } = context.database;
  const show = async (teamId: string, id: string) =>
    showProposal(sql, await readBase(), teamId, id);
  return {
    teamProposals: ({ team, query }) => listProposals(sql, team.id, query),
    teamProposal: ({ team, params }) => show(team.id, params.proposalId),
    async approveTeamProposal({ team, person, params: { proposalId: id }, body }) {
      await approveProposal(context, { team, person, id }, body);
      return show(team.id, id);
    },
    async rejectTeamProposal({ team, person, params: { proposalId: id }, body }) {
      await rejectProposal(context, { team, person, id }, body.reason ?? null);
      onChange(team.id);
      return show(team.id, id);
    },
    async applyTeamProposal({ team, person, params: { proposalId: id } }) {
      await applyTeamProposal(parts, { team, person, id });
      onChange(team.id);
      return show(team.id, id);
    },
    teamOverlay: ({ team }) => readNewestVersion(sql, team.id),
    teamOverlayVersions: ({ team, query }) => listVersions(sql, team.id, query),
    teamOverlayVersion: ({ team, params }) => readVersion(sql, team.id, params.version),
    teamOverlayDiff: ({ team, params: { version }, query }) =>
      diffVersions(sql, team.id, version, query.from ?? Math.max(0, version - 1)),
    teamOverlayFile: ({ team, params, ctx }) => sendFile(ctx, sql, team.id, params.digest),
    async restoreTeamOverlay({ team, person, body }) {
      await restoreVersion(context, { team, person }, body);
      onChange(team.id);
      return readNewestVersion(sql, team.id);
    },
    async runnerOverlay({ runner, query: { known } }) {
      const { version, files } = await readNewestVersion(sql, runner.teamId);
      return { version, files: version === known ? null : files };
    },
    runnerOverlayFile: ({ runner, params, ctx }) =>
      sendFile(ctx, sql, runner.teamId, params.digest),
    overlayPulls: ({ runner }) => listPulls(sql, runner, context.clock.now()),
    overlayPull: ({ runner, params }) => readPullContent(sql, runner, params.proposalId),
    async reportOverlayPull({ runner, params: { proposalId }, body }) {
      const isTaken = await reportPull(parts, runner, proposalId, body);
      if (isTaken && body.state !== 'taken') onChange(runner.teamId);
      return { isTaken };
    },
    async sentProposal({ runner, params: { proposalId } }) {
      const row = await readProposal(sql, runner.teamId, proposalId);
      if (row.runner_id !== runner.runnerId)
        throw new SvcError('not-found', 'This runner has sent no such proposal.');
      return toSentState(row);
    },
    async sendProposal({ runner, params: { proposalId }, body }) {
      await storeProposal(parts, runner, proposalId, body);
      return toSentState(await readProposal(sql, runner.teamId, proposalId));
    },
  };
}
