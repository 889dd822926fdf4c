import type { Runner } from '../../contract/runner/runner.ts';
import { INSIGHTS_MEMORY } from '../../base/agents/insights.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { TenantFolder } from '../workspace/editing/tenantFolder.ts';
import { checkProposalDecider } from './checkProposalDecider.ts';
import type { LayerTexts } from './createLayerTextReader.ts';
import { isProposalOver, type ProposalRow } from './proposalRows.ts';
import type { Proposals } from './proposals.ts';

export interface PromoteInsightDeps {
  rows: Pick<RowReader, 'one'>;
  textAt: LayerTexts;
  tenantFolder: Pick<TenantFolder, 'checkTakesProposals'>;
  proposals: Pick<Proposals, 'propose'>;
  readState(jobId: string): unknown;
}

const ID_CHARS = 16;
const TENANT = { layer: 'tenant', repo: null, provider: null } as const;

const toInsightItem = (text: string): string => `- ${text.trim().replace(/\s*\n\s*/g, '\n  ')}\n`;

function appendInsightItem(before: string | null, item: string): string {
  if (before === null || before.trim() === '') return `# Insights\n\n${item}`;
  const whole = before.endsWith('\n') ? before : `${before}\n`;
  const lastLine = whole.trimEnd().split('\n').at(-1) ?? '';
  // After a list item or its continuation line the text becomes the next item; else a list begins.
  return /^(- | {2}\S)/.test(lastLine) ? `${whole.trimEnd()}\n${item}` : `${whole}\n${item}`;
}

/** Turns insights into proposals to change the team's memory. */
export const createPromoteInsight = ({
  rows,
  textAt,
  tenantFolder,
  proposals,
  readState,
}: PromoteInsightDeps): Pick<Runner, 'promoteInsight'> => {
  /** The id of the undecided proposal with this content, else a free one. */
  const freeId = (content: string): string => {
    for (let n = 0; ; n += 1) {
      const id = sha256(`${content}/${n}`).slice(0, ID_CHARS);
      const row: ProposalRow | undefined = rows.one('proposals', { id });
      if (!row || !isProposalOver(row)) return id;
    }
  };
  return {
    async promoteInsight(jobId, insightId, { path = INSIGHTS_MEMORY, text }, { by }) {
      checkProposalDecider(by);
      readState(jobId);
      const insight = rows.one('insights', { job_id: jobId, id: insightId });
      if (!insight) throw new SvcError('not-found', `${jobId} has no insight ${insightId}.`);
      tenantFolder.checkTakesProposals();
      const before = await textAt(TENANT, path);
      const item = toInsightItem(text ?? insight.text);
      if (before?.includes(item))
        throw new SvcError(
          'not-possible-now',
          `${path} of the team's layer has this text already.`,
        );
      const quote = insight.text.trim().replace(/^/gm, '> ');
      const draft = {
        kind: 'memory' as const,
        description: `A person proposes to keep an insight (${insight.category}) of the phase ${insight.phase} of ${jobId}:\n\n${quote}`,
        files: [{ path, text: appendInsightItem(before, item) }],
        targetLayer: TENANT.layer,
      };
      const id = freeId(JSON.stringify([jobId, insightId, path, item, before]));
      return proposals.propose(id, draft, {
        jobId: null,
        phase: null,
        repo: null,
        event: () => [],
      });
    },
  };
};
