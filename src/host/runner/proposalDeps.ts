import { join } from 'node:path';
import type { ForgeService } from '../../forges/forgeService.ts';
import type { ApplyProposalDeps } from '../../jobs/proposals/applyProposal.ts';
import type { CheckProposalDeps } from '../../jobs/proposals/checkProposal.ts';
import { createLayerTextReader } from '../../jobs/proposals/createLayerTextReader.ts';
import type { ProposalServiceDeps } from '../../jobs/proposals/proposalService.ts';
import type { PromoteInsightDeps } from '../../jobs/proposals/promoteInsight.ts';
import { createProposals, type Proposals } from '../../jobs/proposals/proposals.ts';
import type { RunnerCore } from './core.ts';

/** Beside the team's folder, and never part of a layer. */
const toProposalCopiesDir = ({ settings }: RunnerCore): string =>
  join(settings.paths.intelligenceDir, 'proposals');

const createLayerTexts = (core: RunnerCore) =>
  createLayerTextReader({
    settings: core.settings,
    forges: core.forges,
    async remoteTenant(path) {
      const { layers } = await core.workplace.overlay(null);
      const bytes = layers.find(({ name }) => name === 'tenant')?.files.get(path);
      return bytes === undefined ? null : new TextDecoder().decode(bytes);
    },
  });

export const createRunnerProposals = (core: RunnerCore): Proposals =>
  createProposals({
    kernel: core.kernel,
    rows: core.rows,
    workplace: core.workplace,
    forges: core.forges,
    settings: core.settings,
    now: core.now,
    textAt: createLayerTexts(core),
  });

export const buildProposalServiceDeps = (core: RunnerCore): ProposalServiceDeps => ({
  kernel: core.kernel,
  rows: core.rows,
  workplace: core.workplace,
  tenantFolder: core.tenantFolder,
  textAt: createLayerTexts(core),
  copies: toProposalCopiesDir(core),
});

export const buildPromotionDeps = (core: RunnerCore): PromoteInsightDeps => ({
  rows: core.rows,
  tenantFolder: core.tenantFolder,
  readState: core.readState,
  textAt: createLayerTexts(core),
  proposals: createRunnerProposals(core),
});

export const buildProposalPortDeps = (
  core: RunnerCore,
  { writes }: Pick<ForgeService, 'writes'>,
): CheckProposalDeps & ApplyProposalDeps => ({
  rows: core.rows,
  workplace: core.workplace,
  tenantFolder: core.tenantFolder,
  versions: core.versions,
  forges: core.forges,
  copies: toProposalCopiesDir(core),
  checkouts: join(core.settings.paths.workingDir, '_proposals'),
  commit: core.writeRows,
  async writeForge(forge, operation, args, actor, caller) {
    const change = await writes.write(forge.id, operation, args, actor, caller);
    if (change) return change;
    throw new Error(`the forge ${forge.id} is no longer configured`);
  },
});
