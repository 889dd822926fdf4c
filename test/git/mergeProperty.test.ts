import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeCommits } from '../../src/git/mergeCommits.ts';
import { showRawPath } from '../../src/git/rawPaths.ts';
import { openRepository } from '../../src/git/openRepository.ts';
import { makeGitRepository } from '../support/gitRepository.ts';
import { inLongLane } from '../support/longLane.ts';
import { LooseObjects, type RawEntries } from '../support/looseObjects.ts';

const test = suite('scm merges hold the rule');
/** Random merges in CI; the long lane plays all 500. */
const RUNS = inLongLane ? 500 : 30;
const LINES = 12;
type Case = [{ path: string; mode: string }[], Edit[], Edit[]];
/** One side removes a file whose mode the other has only written in the obsolete form. */
const REMOVED_BESIDE_MODE: Case = [
  [
    { path: 'a.txt', mode: '100644' },
    { path: 'd/e/a.txt', mode: '100644' },
  ],
  [{ kind: 'mode', pick: 1, line: 0, path: 'a.txt', mode: '100664' }],
  [{ kind: 'folder', pick: 1, line: 0, path: 'a.txt', mode: '100644' }],
];
/** Both sides add the same file, one of them with a mode in the obsolete form. */
const ADDED_IN_BOTH_FORMS: Case = [
  [{ path: 'a.txt', mode: '100644' }],
  [{ kind: 'folder', pick: 0, line: 0, path: 'a.txt', mode: '100664' }],
  [{ kind: 'folder', pick: 0, line: 0, path: 'a.txt', mode: '100644' }],
];

const repository = makeGitRepository({ bare: true });
const opened = openRepository(repository.path);
const objects = new LooseObjects(repository.path);
const drafts = mkdtempSync(join(tmpdir(), 'svc-property-'));
test.after(() => {
  repository.remove();
  rmSync(drafts, { recursive: true, force: true });
});

/** Names that are no UTF-8, or special to shells, options, git or JSON. */
const NAMES = [
  'a.txt',
  'caf\xe9',
  'caf\xe8',
  '\xff\xfe',
  'tab\there',
  'new\nline',
  'quo"te',
  '"quoted"',
  'back\\slash',
  '-rf',
  '--help',
  'README',
  'readme',
  'a b',
  ':(glob)x',
  '\x1b[31m',
];
const FOLDERS = ['', 'd/', 'd/e/', 'caf\xe9/', 'x~y/'];
const FILE_MODES = ['100644', '100755', '100664', '100600', '100775'];
const MODES = [...FILE_MODES, '120000', '160000'];
const isFile = (mode: string): boolean => mode.startsWith('100');
/** The modes that git writes. */
const CANONICAL = ['40000', '100644', '100755', '120000', '160000'];

type Versions = Map<string, { mode: string; text: string }>;
interface Edit {
  kind: 'line' | 'delete' | 'mode' | 'put' | 'move' | 'folder';
  pick: number;
  line: number;
  path: string;
  mode: string;
}

const path = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES))
  .map(([folder, name]) => `${folder}${name}`);
const start = fc.array(fc.record({ path, mode: fc.constantFrom(...MODES) }), {
  minLength: 2,
  maxLength: 14,
});
const edits = fc.array(
  fc.record<Edit>({
    kind: fc.constantFrom('line', 'line', 'line', 'delete', 'mode', 'put', 'move', 'folder'),
    pick: fc.nat(40),
    line: fc.nat(LINES - 1),
    path,
    mode: fc.constantFrom(...FILE_MODES),
  }),
  { maxLength: 6 },
);

/** Files of different paths share no line, so that only a move is a rename. */
const textFor = (name: string, words: string): string =>
  Array.from({ length: LINES }, (_, n) =>
    createHash('sha1').update(`${name} ${n} ${words}`).digest('hex'),
  ).join('\n');

const put = (files: Versions, at: string, entry: { mode: string; text: string }): void => {
  for (const other of [...files.keys()])
    if (other.startsWith(`${at}/`) || at.startsWith(`${other}/`)) files.delete(other);
  files.set(at, entry);
};

function applyRandomEdit(
  base: Versions,
  list: readonly Edit[],
  side: string,
): { files: Versions; moved: Map<string, string> } {
  const files = new Map(base);
  const moved = new Map<string, string>();
  for (const { kind, pick, line, path: target, mode } of list) {
    const at = [...files.keys()][pick % Math.max(files.size, 1)];
    const entry = at === undefined ? undefined : files.get(at);
    if (kind === 'put') put(files, target, { mode, text: textFor(target, side) });
    if (at === undefined || entry === undefined) continue;
    if (kind === 'delete') files.delete(at);
    if (kind === 'mode' && isFile(entry.mode)) files.set(at, { ...entry, mode });
    if (kind === 'folder') put(files, `${at}/inside`, { mode, text: textFor(at, 'inside') });
    if (kind === 'line') {
      const lines = entry.text.split('\n');
      lines[line % lines.length] = `${side} ${line}`;
      files.set(at, { ...entry, text: lines.join('\n') });
    }
    if (kind === 'move' && !files.has(target) && base.get(at) === entry && isFile(entry.mode)) {
      files.delete(at);
      put(files, target, entry);
      moved.set(target, at);
    }
  }
  return { files, moved };
}

const writeEntries = (files: Versions): RawEntries =>
  new Map(
    [...files].map(([name, { mode, text }]) => {
      const oid =
        mode === '160000' ? createHash('sha1').update(text).digest('hex') : objects.blob(text);
      return [name, { mode, oid }];
    }),
  );

/** Id of what `git merge-file` makes of three blobs; null for conflicts. */
function mergedFile(base: string, ours: string, theirs: string): string | null {
  if (ours === theirs || base === theirs) return ours;
  if (base === ours) return theirs;
  const files = { ours, base, theirs };
  for (const [name, oid] of Object.entries(files))
    writeFileSync(join(drafts, name), objects.read(oid));
  try {
    const merged = execFileSync('git', ['merge-file', '-q', '-p', 'ours', 'base', 'theirs'], {
      cwd: drafts,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return createHash('sha1').update(`blob ${merged.length}\0`).update(merged).digest('hex');
  } catch {
    return null;
  }
}

/** The entries as git reads them: what an obsolete mode says besides is no difference. */
const asGitReads = (entries: RawEntries): RawEntries =>
  new Map(
    [...entries].map(([name, { mode, oid }]) => {
      if (!isFile(mode)) return [name, { mode, oid }];
      const canRun = (Number.parseInt(mode, 8) & 0o100) !== 0;
      return [name, { mode: canRun ? '100755' : '100644', oid }];
    }),
  );

const describeEntry = (entry: { mode: string; oid: string } | undefined): string =>
  entry ? `${entry.mode} ${entry.oid}` : 'none';

/** The rule, in words of its own: what a path must be; null = both sides changed it. */
function ruled(base: string, ours: string, theirs: string): string | null {
  if (ours === theirs) return ours;
  if (base === ours) return theirs;
  return base === theirs ? ours : null;
}

let merges = 0;
let clean = 0;

test(`${RUNS} random merges: what one side changed is taken whole, the rest is a conflict or what git merge-file makes of it`, async () => {
  await fc.assert(
    fc.asyncProperty(start, edits, edits, async (first, mine, other) => {
      const files: Versions = new Map();
      for (const one of first)
        put(files, one.path, { mode: one.mode, text: textFor(one.path, '') });
      put(files, 'untouched', { mode: '100664', text: 'always here' });
      const sides = [
        applyRandomEdit(files, mine, 'ours'),
        applyRandomEdit(files, other, 'theirs'),
      ] as const;
      const raw = [
        writeEntries(files),
        writeEntries(sides[0].files),
        writeEntries(sides[1].files),
      ] as const;
      const trees = raw.map((entries) => objects.tree(entries));
      const [rootTree = '', ourTree = '', theirTree = ''] = trees;
      const root = objects.commit(rootTree);
      const [ours, theirs] = [objects.commit(ourTree, root), objects.commit(theirTree, root)];
      const [b, o, t] = [asGitReads(raw[0]), asGitReads(raw[1]), asGitReads(raw[2])];
      if (ours === theirs) return;
      merges += 1;
      const outcome = await mergeCommits(opened, ours, theirs, {
        message: 'M',
        author: 'ada',
        at: 0,
      });
      const renames = new Map([...sides[0].moved, ...sides[1].moved]);
      const all = new Set([...b.keys(), ...o.keys(), ...t.keys()]);
      const doubtful = [...all].filter((one) => {
        const is = ruled(
          describeEntry(b.get(one)),
          describeEntry(o.get(one)),
          describeEntry(t.get(one)),
        );
        const clash = [...all].some(
          (two) => two.startsWith(`${one}/`) || one.startsWith(`${two}/`),
        );
        return is === null || clash;
      });
      if ('conflicts' in outcome) {
        assert.ok(
          doubtful.length > 0 || renames.size > 0,
          `conflict without cause: ${outcome.conflicts}`,
        );
        if (renames.size === 0) {
          const causes = doubtful.map(showRawPath);
          for (const one of outcome.conflicts)
            assert.ok(causes.includes(one), `${one} is a conflict`);
        }
        return;
      }
      clean += 1;
      const merged = objects.readTree(outcome.commit ?? '');
      assert.is(merged, repository.git('merge-tree', '--write-tree', ours, theirs));
      const sourceFolders = new Set(trees.flatMap((tree) => [...objects.folders(tree)]));
      for (const folder of objects.folders(merged))
        if (!sourceFolders.has(folder))
          for (const mode of objects.modes(folder)) assert.ok(CANONICAL.includes(mode), mode);
      const r = asGitReads(objects.entries(merged));
      for (const one of new Set([...all, ...r.keys()])) {
        const [base, our, their, result] = [b.get(one), o.get(one), t.get(one), r.get(one)];
        const is = ruled(describeEntry(base), describeEntry(our), describeEntry(their));
        if (is === describeEntry(result)) continue;
        const from = renames.get(one);
        const before = from === undefined ? undefined : b.get(from);
        if (from !== undefined && before && result) {
          const at = (side: RawEntries) => side.get(one) ?? side.get(from);
          const [left, right] = [at(o), at(t)];
          assert.ok(left && right, `${showRawPath(one)} has no versions`);
          assert.is(mergedFile(before.oid, left?.oid ?? '', right?.oid ?? ''), result.oid);
          continue;
        }
        // Its new name is checked above.
        if (!result && [...renames.values()].includes(one)) continue;
        assert.is(
          is,
          null,
          `${showRawPath(one)} was changed on one side only: ${describeEntry(result)}`,
        );
        assert.ok(base && our && their && result, `${showRawPath(one)} was deleted and changed`);
        if (!base || !our || !their || !result) continue;
        assert.is(mergedFile(base.oid, our.oid, their.oid), result.oid, showRawPath(one));
        const mode = base.mode === our.mode ? their.mode : our.mode;
        assert.is(result.mode, mode, showRawPath(one));
      }
    }),
    { numRuns: RUNS, examples: [REMOVED_BESIDE_MODE, ADDED_IN_BOTH_FORMS] },
  );
  assert.ok(clean > RUNS / 10 && clean < merges, `${clean} of ${merges} merges were clean`);
});

test.run();
