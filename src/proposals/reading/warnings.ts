import { isAgentPath, isWorkflowPath } from '../../authoring/overlay/layerFiles.ts';
import { whatRuns } from '../../authoring/trust/whatRuns.ts';
import { clip } from '../../domain/clip.ts';
import type { ProposalWarningKind } from '../../domain/proposals.ts';
import { codePointName } from '../../lib/codePoints.ts';
import { sha256 } from '../../lib/ids.ts';
import { type Fields, fields, list, text } from '../../lib/untrusted.ts';
import type { ProposalWarning } from '../../schema/proposal.ts';
import type { ChangedText } from './changedText.ts';
import { bodyOf, frontMatterOf } from './frontMatterOf.ts';
import { lookAlike } from './lookAlikes.ts';

/** A text of more new lines than this is not read in passing. */
const LARGE_LINES = 400;
/** A line that is longer than this has an end that a reader does not see, characters. */
const LONG_LINE_CHARS = 1_000;
/** Most characters of a warning. */
const MAX_CHARS = 500;
/** Most places that are named of one kind. */
const MAX_NAMED = 20;

type Found = [kind: ProposalWarningKind, says: string];

const linesOf = (source: string | null): string[] => (source ?? '').split('\n');
const bytesOf = (source: string): Uint8Array => new TextEncoder().encode(source);

/** Programs, hooks, tool servers, addresses and places to write to that were not named before. */
function runs({ path, before, after }: ChangedText): Found[] {
  if (after === null) return [];
  const known = new Set(before === null ? [] : whatRuns({ path, bytes: bytesOf(before) }));
  return whatRuns({ path, bytes: bytesOf(after) })
    .filter((line) => !known.has(line))
    .map((line) => ['runs', `runs or reaches: ${line}`]);
}

const toolsIn = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.map(String) : null;

/** Tools that a list gives and an earlier one did not; no list gives all. */
function wider(where: string, before: unknown, after: unknown, isNew: boolean): Found[] {
  const [from, to] = [toolsIn(before), toolsIn(after)];
  if (to === null) return from === null ? [] : [['widens', `${where} may use every tool`]];
  if (from === null && !isNew) return [];
  const more = to.filter((tool) => !(from ?? []).includes(tool));
  const grave = isNew ? more.filter((tool) => /merge|approve|\*/.test(tool)) : more;
  return grave.length === 0 ? [] : [['widens', `${where} may also use ${grave.join(', ')}`]];
}

const phasesOf = (data: Fields): Map<string, Fields> =>
  new Map(list(data.phases).map((phase) => [text(fields(phase).name), fields(phase)]));

function ofWorkflow(before: Fields, after: Fields, existed: boolean): Found[] {
  const [from, to] = [phasesOf(before), phasesOf(after)];
  const found: Found[] = [];
  for (const [name, phase] of from) {
    const now = to.get(name);
    if (phase.interactive_checkpoint === true && now?.interactive_checkpoint !== true)
      found.push(['weakens', `no person approves the phase ${name} any more`]);
    if (now !== undefined && list(phase.obligations).length > list(now.obligations).length)
      found.push(['weakens', `the phase ${name} has fewer obligations`]);
  }
  for (const [name, phase] of to)
    found.push(...wider(`the phase ${name}`, from.get(name)?.tools, phase.tools, !from.has(name)));
  const kept = new Map(
    list(after.invariants).map((rule) => [text(fields(rule).id), JSON.stringify(rule)]),
  );
  for (const rule of list(before.invariants)) {
    const id = text(fields(rule).id);
    if (!kept.has(id))
      found.push(['weakens', `the invariant ${id} is gone: ${JSON.stringify(rule)}`]);
    else if (kept.get(id) !== JSON.stringify(rule))
      found.push(['weakens', `the invariant ${id} changes: ${kept.get(id)}`]);
  }
  if (
    existed &&
    before.budget !== undefined &&
    JSON.stringify(before.budget) !== JSON.stringify(after.budget)
  )
    found.push(['weakens', `its budget changes: ${JSON.stringify(after.budget ?? null)}`]);
  return found;
}

/** Comments of Markdown are shown to no reader of the page, and read by agents. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/gu;
/** What cannot be seen, or turns what is seen around; a tab and line breaks are neither. */
const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?![\t\n\r])\p{Cc}/gu;
/** How svc itself marks text for agents. */
const OWN_MARKS = /<!--\s*svc:|<\/?(?:untrusted|svc)[\s:>-]/iu;

function hides({ path, before, after }: ChangedText): Found[] {
  const found: Found[] = [];
  const had = new Set(linesOf(before));
  const fresh = linesOf(after).filter((line) => !had.has(line));
  const unseen = [...new Set(fresh.join('\n').match(UNSEEN))];
  if (unseen.length > 0)
    found.push([
      'hides',
      `has characters that cannot be seen: ${unseen.slice(0, MAX_NAMED).map(codePointName).join(', ')}`,
    ]);
  const known = new Set(bodyOf(before, path).match(COMMENT));
  for (const comment of [...(bodyOf(after, path).match(COMMENT) ?? [])].slice(0, MAX_NAMED))
    if (!known.has(comment))
      found.push(['hides', `has a comment that pages do not show: ${comment}`]);
  if (fresh.some((line) => OWN_MARKS.test(line)))
    found.push(['hides', 'has marks that look like those of svc']);
  const long = fresh.find((line) => line.length > LONG_LINE_CHARS);
  if (long !== undefined)
    found.push([
      'hides',
      `has a line of ${long.length} characters, beginning with: ${clip(long, 80)}`,
    ]);
  return found;
}

function large({ before, after }: ChangedText): Found[] {
  const had = new Set(linesOf(before));
  const fresh = linesOf(after).filter((line) => !had.has(line)).length;
  return fresh > LARGE_LINES ? [['large', `${fresh} lines are new`]] : [];
}

/**
 * What a person should know of one changed file before they approve it. `paths`: every path of the
 * overlay, for names that look like others. The id of a warning is the same for the same content.
 */
export function warningsOf(file: ChangedText, paths: readonly string[]): ProposalWarning[] {
  const { path, before, after } = file;
  const [from, to] = [frontMatterOf(before, path), frontMatterOf(after, path)];
  const other = before === null && after !== null ? lookAlike(path, paths) : undefined;
  const found: Found[] = [
    ...runs(file),
    ...(isAgentPath(path) && after !== null
      ? wider('the agent', from.tools, to.tools, before === null)
      : []),
    ...(path.startsWith('.claude/skills/') && after !== null
      ? wider('the skill', from['allowed-tools'], to['allowed-tools'], before === null)
      : []),
    ...(isWorkflowPath(path) && after !== null ? ofWorkflow(from, to, before !== null) : []),
    ...hides(file),
    ...(other === undefined ? [] : ([['hides', `its name looks like ${other}`]] satisfies Found[])),
    ...large(file),
  ];
  return found.map(([kind, says]) => ({
    id: `${kind}-${sha256(`${path}\n${says}`).slice(0, 8)}`,
    kind,
    path,
    says: clip(visible(says), MAX_CHARS),
    allow: kind !== 'large',
  }));
}

/** Characters that cannot be seen are written out. */
const visible = (line: string): string =>
  line.replace(/\n/g, ' ').replace(UNSEEN, (one) => `[${codePointName(one)}]`);
