import type { Ansis } from 'ansis';
import { shorten } from '../../src/domain/clip.ts';
import type { Proposal, ProposalSummary } from '../../src/schema/proposal.ts';
import { withUnseenNamed } from '../../src/lib/unseen.ts';
import { printable, printableLine } from './printable.ts';
import { table } from './table.ts';
import { ago, when } from './when.ts';

type Style = { color: Ansis; columns: number; now(): number };

/** Longest start of a description in a table, characters. */
const MAX_REASON = 200;

const placeOf = ({ layer, repo }: ProposalSummary): string =>
  layer === 'tenant' ? 'the team' : `repository ${repo ?? ''}`;

/** A table of them. */
export function proposalTable(proposals: readonly ProposalSummary[], style: Style): string {
  const now = style.now();
  return table(
    ['ID', 'STATE', 'KIND', 'FOR', 'WHEN', 'WARNINGS', 'FILES', 'WHY'],
    proposals.map((one) =>
      [
        one.id,
        one.state,
        one.kind,
        placeOf(one),
        ago(one.at, now),
        one.warnings === 0 ? '' : String(one.warnings),
        one.paths.length === 1 ? (one.paths[0] ?? '') : `${one.paths.length} files`,
        shorten(one.description.trim().split('\n', 1)[0] ?? '', MAX_REASON),
      ].map(printableLine),
    ),
    style,
  );
}

const block = (title: string, lines: readonly string[], { color }: Style): string =>
  lines.length === 0
    ? ''
    : `\n${color.bold(title)}\n${lines.map((line) => `  ${line}\n`).join('')}`;

/** By the place of a line, not its text: an added line can look like the head of a file. */
function diffLines(diff: string, { color }: Style): string[] {
  let inHead = false;
  return printable(withUnseenNamed(diff))
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

/** What a person decided, and when. */
function decisions({ approval, rejection, allowed }: Proposal, now: number): string[] {
  return [
    ...(approval === null
      ? []
      : [
          `approved by ${approval.author} (${approval.by}) ${when(approval.at, now)}${allowed.length === 0 ? '' : `, allowing ${allowed.join(', ')}`}`,
        ]),
    ...(rejection === null
      ? []
      : [
          `rejected by ${rejection.author} (${rejection.by}) ${when(rejection.at, now)}${rejection.reason === null ? '' : `: ${rejection.reason}`}`,
        ]),
  ].map(printableLine);
}

/** One of them, with all that a person decides by. */
export function proposalText(proposal: Proposal, style: Style): string {
  const { checks, files, jobId, phase, problem, link, hash, state } = proposal;
  const by = jobId === null ? 'a person' : `the job ${jobId}, phase ${phase ?? ''}`;
  const head = `${style.color.bold(`Proposal ${proposal.id}`)}, ${state}: ${proposal.kind} for ${printableLine(placeOf(proposal))}
proposed by ${printableLine(by)} ${when(proposal.at, style.now())}
hash ${hash}
`;
  const conflicts = files.flatMap(({ path, conflicts: found }) =>
    found.map(({ line }) =>
      printableLine(`${path}:${line} has changed since, and is changed here too`),
    ),
  );
  return [
    head,
    block('Why', printable(withUnseenNamed(proposal.description.trim())).split('\n'), style),
    block(
      'What changes',
      (checks?.meaning ?? []).map(({ path, says }) => printableLine(`${path}: ${says}`)),
      style,
    ),
    block(
      'Warnings',
      (checks?.warnings ?? []).map(({ id, path, says, allow }) =>
        style.color.yellow(
          printableLine(`${id}${allow ? '' : ' (for information)'}: ${path} ${says}`),
        ),
      ),
      style,
    ),
    block(
      'Findings',
      (checks?.findings ?? []).map(({ file, line, column, severity, message }) =>
        printableLine(`${file}:${line}:${column} ${severity}: ${message}`),
      ),
      style,
    ),
    block(
      'Played without agents',
      (checks?.simulated ?? []).map(({ path, says }) => printableLine(`${path}: ${says}`)),
      style,
    ),
    block(
      'Lines',
      files.flatMap(({ diff }) => diffLines(diff, style)),
      style,
    ),
    block(
      'Conflicts',
      conflicts.map((line) => style.color.red(line)),
      style,
    ),
    block('Decisions', decisions(proposal, style.now()), style),
    problem === null ? '' : `\n${style.color.red(printableLine(problem))}\n`,
    link === null ? '' : `\nPull request: ${printableLine(link)}\n`,
  ].join('');
}

/** The outcome of a decision. */
export function decidedText({ id, state, problem, link, supersededBy }: Proposal): string {
  const more: Partial<Record<Proposal['state'], string>> = {
    approved: ` It is not applied yet: svc proposals apply ${id}`,
    applied: link === null ? ' Jobs see it from their next phase on.' : ` Pull request: ${link}`,
    conflicted: ` ${problem ?? ''}`,
    superseded: ` It was replaced by ${supersededBy ?? ''}.`,
  };
  return printableLine(`Proposal ${id} is ${state}.${more[state] ?? ''}`).concat('\n');
}
