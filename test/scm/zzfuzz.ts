import { execFileSync, spawnSync } from 'node:child_process';
import { makeGitRepository, git } from '../support/gitRepository.ts';
import { mergeCommits } from '../../src/scm/mergeCommit.ts';
import { openRepository } from '../../src/scm/repository.ts';
let seed = Number(process.argv[2] ?? 1);
const rnd = (n: number) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return (seed >> 8) % n; };
const names = ['a', 'b', 'd/x', 'd/y', 'd/e/z', 'a/q', 'd'];
let nm = '';const lines = (k: number[]) => k.map((x) => `${nm} line ${x} ${nm.repeat(9)}\n`).join('');
const content = () => { const r = rnd(10); const base = Array.from({length: 12}, (_, i) => i); if (rnd(3) > 0) base[rnd(12)] = 100 + rnd(3); return r === 0 ? { link: `t${rnd(3)}` } : r === 1 ? { executable: lines(base) } : lines(base); };
const gen = (prev: Map<string, any>) => { const m = new Map(prev); for (let i = rnd(4); i >= 0; i--) { const n = names[rnd(names.length)]!; if (rnd(4) === 0) m.delete(n); else { for (const k of [...m.keys()]) if (k.startsWith(`${n}/`) || n.startsWith(`${k}/`)) m.delete(k); nm = n, m.set(n, content()); } } return m; };
const r = makeGitRepository({ bare: true });
const repo = openRepository(r.path);
const commitTree = (m: Map<string, any>, parents: string[]) => {
  git(r.path, ['read-tree', '--empty'], { env: { GIT_INDEX_FILE: '/tmp/zzidx' } });
  const ls = [...m].map(([p, c]) => `${typeof c === 'string' ? '100644' : 'link' in c ? '120000' : '100755'} ${git(r.path, ['hash-object', '-w', '--stdin'], { input: typeof c === 'string' ? c : c.link ?? c.executable })}\t${p}\n`).join('');
  git(r.path, ['update-index', '--index-info'], { env: { GIT_INDEX_FILE: '/tmp/zzidx' }, input: ls });
  const t = git(r.path, ['write-tree'], { env: { GIT_INDEX_FILE: '/tmp/zzidx' } });
  return git(r.path, ['commit-tree', t, ...parents.flatMap((p) => ['-p', p]), '-m', 'x']);
};
let clean = 0, conf = 0, stricter = 0;
for (let i = 0; i < 250; i++) {
  let base = new Map<string, any>(); for (let k = 0; k < 4; k++) base = gen(base);
  const [o, t] = [gen(base), gen(base)];
  const b = commitTree(base, []); const oc = commitTree(o, [b]); const tc = commitTree(t, [b]);
  if (oc === tc || oc === b) continue;
  const theirs = spawnSync('git', ['-c', 'merge.renames=false', 'merge-tree', '--write-tree', '--name-only', '--no-messages', oc, tc], { cwd: r.path, encoding: 'utf8' });
  const [gtree] = theirs.stdout.split('\n');
  const dry = await mergeCommits(repo, oc, tc, null);
  const out = await mergeCommits(repo, oc, tc, { message: 'm', author: 'a', at: 0 });
  if ('conflicts' in dry !== 'conflicts' in out) console.log('DRY DIFFERS', i);
  if ('conflicts' in out) { conf++; if (theirs.status === 0) { stricter++; console.log('stricter', out.conflicts, JSON.stringify([...base]), JSON.stringify([...o]), JSON.stringify([...t])); } }
  else { clean++; if (theirs.status !== 0) console.log('LAXER', i, theirs.stdout, JSON.stringify([...base]), JSON.stringify([...o]), JSON.stringify([...t])); else { const mine = git(r.path, ['rev-parse', `${out.commit}^{tree}`]); if (mine !== gtree) console.log('TREE DIFFERS', i, JSON.stringify([...base]), JSON.stringify([...o]), JSON.stringify([...t])); } }
}
console.log({ clean, conf, stricter });
r.remove();
