import type { Ansis } from 'ansis';
import { shorten } from '../../../src/base/text/clip.ts';
import type { Proposal, ProposalSummary } from '../../../src/contract/schema/workflow/proposal.ts';
import { writeOutUnseen } from '../../../src/base/text/escapeHidden.ts';
import { toPrintable, toPrintableLine } from '../text/toPrintable.ts';
import { renderTable } from '../text/renderTable.ts';
import { formatAgo, formatTimeWithAgo } from '../text/formatTimeWithAgo.ts';

type Style = { color: Ansis; columns: number; now(): number };

const MAX_REASON = 200;

const describeLayerPlace = ({ layer, repo }: ProposalSummary): string =>
  layer === 'tenant' ? 'the team' : `repository ${repo ?? ''}`;

export function formatProposalTable(proposals: readonly ProposalSummary[], style: Style): string {
  const now = style.now();
  return renderTable(
    ['ID', 'STATE', 'KIND', 'FOR', 'WHEN', 'WARNINGS', 'FILES', 'WHY'],
    proposals.map((one) =>
      [
        one.id,
        one.state,
        one.kind,
        describeLayerPlace(one),
        formatAgo(one.at, now),
        one.warnings === 0 ? '' : String(one.warnings),
        one.paths.length === 1 ? (one.paths[0] ?? '') : `${one.paths.length} files`,
        shorten(one.description.trim().split('\n', 1)[0] ?? '', MAX_REASON),
      ].map(toPrintableLine),
    ),
    style,
  );
}

const formatTitledBlock = (title: string, lines: readonly string[], { color }: Style): string =>
  lines.length === 0
    ? ''
    : `\n${color.bold(title)}\n${lines.map((line) => `  ${line}\n`).join('')}`;

/** By the place of a line, not its text: an added line can look like the head of a file. */
function colourDiffLines(diff: string, { color }: Style): string[] {
  let inHead = false;
  return toPrintable(writeOutUnseen(diff))
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (line.startsWith('diff --git ')) inHead = true;
      if (line.startsWith('@@')) {
        inHead = false;
        return color.cyan(line);
      }
      if (inHead) return color.bold(line);
      if (line.startsWith('+')) return color.green(line);
      return line.startsWith('-') ? color.red(line) : line;
    });
}

function listProposalDecisions({ approval, rejection, allowed }: Proposal, now: number): string[] {
  return [
    ...(approval === null
      ? []
      : [
          `approved by ${approval.author} (${approval.by}) ${formatTimeWithAgo(approval.at, now)}${allowed.length === 0 ? '' : `, allowing ${allowed.join(', ')}`}`,
        ]),
    ...(rejection === null
      ? []
      : [
          `rejected by ${rejection.author} (${rejection.by}) ${formatTimeWithAgo(rejection.at, now)}${rejection.reason === null ? '' : `: ${rejection.reason}`}`,
        ]),
  ].map(toPrintableLine);
}

export function formatProposal(proposal: Proposal, style: Style): string {
  const { checks, files, jobId, phase, problem, link, hash, state, proposer } = proposal;
  const by = jobId === null ? (proposer ?? 'a person') : `the job ${jobId}, phase ${phase ?? ''}`;
  const head = `${style.color.bold(`Proposal ${proposal.id}`)}, ${state}: ${proposal.kind} for ${toPrintableLine(describeLayerPlace(proposal))}
proposed by ${toPrintableLine(by)} ${formatTimeWithAgo(proposal.at, style.now())}
hash ${hash}
`;
  const conflicts = files.flatMap(({ path, conflicts: conflictList }) =>
    conflictList.map(({ line }) =>
      toPrintableLine(`${path}:${line} has changed since, and is changed here too`),
    ),
  );
  return [
    head,
    formatTitledBlock(
      'Why',
      toPrintable(writeOutUnseen(proposal.description.trim())).split('\n'),
      style,
    ),
    formatTitledBlock(
      'What changes',
      (checks?.meaning ?? []).map(({ path, says }) => toPrintableLine(`${path}: ${says}`)),
      style,
    ),
    formatTitledBlock(
      'Warnings',
      (checks?.warnings ?? []).map(({ id, path, says, allow }) =>
        style.color.yellow(
          toPrintableLine(`${id}${allow ? '' : ' (for information)'}: ${path} ${says}`),
        ),
      ),
      style,
    ),
    formatTitledBlock(
      'Findings',
      (checks?.findings ?? []).map(({ file, line, column, severity, message }) =>
        toPrintableLine(`${file}:${line}:${column} ${severity}: ${message}`),
      ),
      style,
    ),
    formatTitledBlock(
      'Played without agents',
      (checks?.simulated ?? []).map(({ path, says }) => toPrintableLine(`${path}: ${says}`)),
      style,
    ),
    formatTitledBlock(
      'Lines',
      files.flatMap(({ diff }) => colourDiffLines(diff, style)),
      style,
    ),
    formatTitledBlock(
      'Conflicts',
      conflicts.map((line) => style.color.red(line)),
      style,
    ),
    formatTitledBlock('Decisions', listProposalDecisions(proposal, style.now()), style),
    problem === null ? '' : `\n${style.color.red(toPrintableLine(problem))}\n`,
    link === null ? '' : `\nPull request: ${toPrintableLine(link)}\n`,
  ].join('');
}

/** `team`: the one whose overlay it is for; left out = a proposal of this runner. */
export function formatProposalOutcome(
  { id, state, problem, link, supersededBy }: Proposal,
  team?: string,
): string {
  const more: Partial<Record<Proposal['state'], string>> = {
    approved: ` It is not applied yet: svc proposals apply ${id}${team === undefined ? '' : ` --team ${team}`}`,
    applied: link === null ? ' Jobs see it from their next phase on.' : ` Pull request: ${link}`,
    conflicted: ` ${problem ?? ''}`,
    superseded: ` It was replaced by ${supersededBy ?? ''}.`,
  };
  return toPrintableLine(`Proposal ${id} is ${state}.${more[state] ?? ''}`).concat('\n');
}
